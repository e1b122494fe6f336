package io.cordwood.query.search;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.query.pattern.LineCounter;
import io.cordwood.query.pattern.LogPattern;
import io.cordwood.query.pattern.LogPatterns;
import io.cordwood.query.pattern.PatternSeries;
import io.cordwood.query.pattern.SignatureCounts;
import io.cordwood.query.pattern.TemplateCounts;
import io.cordwood.query.pattern.Templates;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Finds the patterns of a text column. The answer depends on the rows alone: not on the LogBlocks that have them, nor
 * on the threads that read. Immutable.
 *
 * <p>With a time range that has a beginning and an end, it also counts the rows of the time before, of the same length.
 */
public final class Patterns {
    /** Beyond it there are no rows, and lengths of time would overflow. */
    private static final long MAX_MICROS = Long.MAX_VALUE / 4;

    private final TableScan scan;
    private final ScanFilter filter;
    private final QueryColumn column;
    private final long fromMicros;

    private Patterns(TableScan scan, ScanFilter filter, QueryColumn column, long fromMicros) {
        this.scan = scan;
        this.filter = filter;
        this.column = column;
        this.fromMicros = fromMicros;
    }

    /**
     * Finds the patterns of the rows of a filter.
     *
     * @param column a column of text
     * @param limit maximum number of patterns; rows of others are counted together
     */
    public static LogPatterns find(TableScan scan, ScanFilter filter, QueryColumn column, int limit) {
        ScanFilter both = timeBefore(filter.time())
                .map(before -> new ScanFilter(
                        new TimeRange(before.fromMicros(), filter.time().toMicros()),
                        filter.conjuncts(),
                        filter.useStatistics()))
                .orElse(filter);
        return new Patterns(scan, both, column, filter.time().fromMicros()).find(limit);
    }

    /**
     * Steps of time.
     *
     * @param fromMicros beginning of the first one, in microseconds since the epoch
     * @param micros length of each in microseconds
     * @param count number of them
     */
    public record Steps(long fromMicros, long micros, int count) {}

    /**
     * Finds the patterns of the rows of a filter, and their rows in each step of time. It reads the rows twice.
     *
     * @param column a column of text
     * @param limit maximum number of patterns
     * @return the numbers of rows by pattern, the most frequent one first
     */
    public static Map<String, List<Long>> overTime(
            TableScan scan, ScanFilter filter, QueryColumn column, int limit, Steps steps) {
        Patterns patterns = new Patterns(scan, filter, column, Long.MIN_VALUE);
        SignatureCounts lines = patterns.count(SignatureCounts::new, SignatureCounts::add);
        Templates templates = lines.mine(scan::checkLimits);
        List<String> most = patterns.count(lines, templates).patterns(limit).patterns().stream()
                .map(LogPattern::template)
                .toList();
        return patterns.count(
                        () -> new PatternSeries(templates, most, steps.fromMicros(), steps.micros(), steps.count()),
                        PatternSeries::add)
                .counts();
    }

    /** The time of equal length before a time range; empty if the range has no beginning or no end in sight. */
    public static Optional<TimeRange> timeBefore(TimeRange time) {
        if (time.fromMicros() < -MAX_MICROS || time.toMicros() > MAX_MICROS || time.isEmpty()) {
            return Optional.empty();
        }
        long length = time.toMicros() - time.fromMicros() + 1;
        return Optional.of(new TimeRange(time.fromMicros() - length, time.fromMicros() - 1));
    }

    private LogPatterns find(int limit) {
        SignatureCounts lines = count(SignatureCounts::new, SignatureCounts::add);
        Templates templates = lines.mine(scan::checkLimits);
        return count(lines, templates).patterns(limit);
    }

    private TemplateCounts count(SignatureCounts lines, Templates templates) {
        return lines.isComplete()
                ? lines.count(templates, scan::checkLimits)
                : count(() -> new TemplateCounts(templates), TemplateCounts::add);
    }

    /** Counts all rows: each thread with a counter of its own, so there are as many as there are threads. */
    private <C extends LineCounter> C count(Supplier<C> counters, BiConsumer<C, C> add) {
        Queue<C> free = new ConcurrentLinkedQueue<>();
        RowScan.read(scan, filter, List.of(column, QueryColumn.TS), (vectors, size) -> {
            // To look up the templates of a batch's lines may take long
            scan.checkLimits();
            C counter = Optional.ofNullable(free.poll()).orElseGet(counters);
            count((StringVector) vectors.getFirst(), (LongVector) vectors.getLast(), size, counter);
            free.add(counter);
        });
        C total = Optional.ofNullable(free.poll()).orElseGet(counters);
        free.forEach(counter -> {
            scan.checkLimits();
            add.accept(total, counter);
        });
        return total;
    }

    private void count(StringVector text, LongVector times, int size, LineCounter counter) {
        for (int i = 0; i < size; i++) {
            long micros = times.values()[i];
            boolean isBefore = micros < fromMicros;
            if (text.isNull(i)) {
                counter.addWithoutText(isBefore);
            } else {
                int slot = text.slot(i);
                counter.add(text.bytes(), text.offsets()[slot], text.offsets()[slot + 1], micros, isBefore);
            }
        }
    }
}
