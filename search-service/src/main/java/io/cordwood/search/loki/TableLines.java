package io.cordwood.search.loki;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.search.Histogram;
import io.cordwood.query.search.RowScan;
import io.cordwood.query.search.ValueCount;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.Pace;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.metric.LineSource;
import io.cordwood.search.logql.metric.NeededLabels;
import io.cordwood.search.logql.metric.Windows;
import io.cordwood.search.logql.regex.Matching;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The lines of a tenant's tables. It counts with the engine's histogram where that gives the same. */
final class TableLines implements LineSource {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    /** Beyond these, rows are read one by one, within bounds of their own. */
    private static final int MAX_BINS = 20_000;

    private static final int MAX_BINS_BY = 1_000;
    private static final long MAX_NUMBERS = 1_000_000;

    private final LokiQuestion question;

    TableLines(LokiQuestion question) {
        this.question = question;
    }

    @Override
    public void read(LogQuery query, NeededLabels needs, long afterNanos, long toNanos, Consumer<LogLine> visitor) {
        Optional<LokiTable> table = question.table(query.selector());
        if (table.isEmpty()) {
            return;
        }
        TableLabels labels = table.get().labels();
        ScanFilter filter = Pushdown.of(query, labels).filter(LokiTimes.after(afterNanos, toNanos));
        List<QueryColumn> columns = columns(labels, needs, query);
        RowLines rowLines = new RowLines(labels, columns);
        RowScan.read(table.get().scan(), filter, columns, (vectors, size) -> {
            // A query may do much with each line
            Pace pace = new Pace(table.get().scan()::checkLimits, question.worked());
            Matching.run(pace, () -> {
                for (int row = 0; row < size; row++) {
                    pace.run();
                    LogLine line = rowLines.line(vectors, row);
                    if (LineSearch.selects(query, line)) {
                        visitor.accept(line);
                    }
                }
            });
        });
    }

    private static List<QueryColumn> columns(TableLabels labels, NeededLabels needs, LogQuery query) {
        if (needs.all() || (needs.line() && labels.line().isEmpty())) {
            return labels.all();
        }
        Set<QueryColumn> columns = new LinkedHashSet<>(List.of(QueryColumn.TS));
        if (needs.ofStream()) {
            columns.addAll(labels.stream().values());
        }
        Stream.concat(needs.names().stream(), query.selector().stream().map(LabelMatcher::label))
                .forEach(name -> labels.column(name).or(labels::attributes).ifPresent(columns::add));
        if (needs.line()) {
            labels.line().ifPresent(columns::add);
        }
        return new ArrayList<>(columns);
    }

    @Override
    public boolean mayHave(LogQuery query, String label) {
        return question.table(query.selector())
                .map(table -> table.labels().mayHave(label))
                .orElse(false);
    }

    @Override
    public Optional<Map<String, long[]>> count(LogQuery query, Optional<String> by, Windows windows) {
        Optional<LokiTable> table = question.table(query.selector());
        if (table.isEmpty()) {
            return Optional.of(Map.of());
        }
        TableLabels labels = table.get().labels();
        Pushdown pushdown = Pushdown.of(query, labels);
        Optional<QueryColumn> column = by.flatMap(labels::column);
        boolean isOneValue = by.isEmpty() || by.get().equals(StreamChoice.LABEL);
        long binNanos = windows.ends().count() == 1
                ? windows.lengthNanos()
                : windows.ends().stepNanos();
        boolean isOfBins = binNanos % NANOS_PER_MILLI == 0 && windows.lengthNanos() % binNanos == 0;
        if (!pushdown.isExact() || !isOfBins || (column.isEmpty() && !isOneValue)) {
            return Optional.empty();
        }
        long bins = windows.lengthNanos() / binNanos + windows.ends().count();
        if (bins > (column.isPresent() ? MAX_BINS_BY : MAX_BINS)) {
            return Optional.empty();
        }
        TimeBin bin = new TimeBin.Until(
                binNanos / NANOS_PER_MILLI, Math.floorDiv(windows.ends().startNanos(), NANOS_PER_MICRO));
        Histogram histogram = Histogram.count(
                table.get().scan(),
                pushdown.filter(LokiTimes.after(windows.afterNanos(), windows.toNanos())),
                bin,
                column);
        if (histogram.isApproximate()) {
            return Optional.empty();
        }
        String only = by.isPresent() ? labels.name() : "";
        return sums(histogram, column.isPresent() ? Optional.empty() : Optional.of(only), windows, binNanos);
    }

    /** Adds the bins of each window; empty if there are too many values. */
    private static Optional<Map<String, long[]>> sums(
            Histogram histogram, Optional<String> only, Windows windows, long binNanos) {
        int points = windows.ends().count();
        int binsOfWindow = Math.toIntExact(windows.lengthNanos() / binNanos);
        long origin = Math.floorDiv(windows.ends().startNanos(), NANOS_PER_MILLI);
        Map<String, long[]> changes = new HashMap<>();
        for (Map.Entry<Long, Histogram.Bucket> bucket : histogram.buckets().entrySet()) {
            int first = Math.toIntExact((bucket.getKey() - origin) / (binNanos / NANOS_PER_MILLI));
            int from = Math.clamp(first, 0, points);
            int to = Math.clamp((long) first + binsOfWindow, 0, points);
            List<ValueCount> counts = only.isPresent()
                    ? List.of(new ValueCount(only, bucket.getValue().rows()))
                    : bucket.getValue().counts();
            for (ValueCount count : counts) {
                long[] change = changes.computeIfAbsent(count.value().orElse(""), any -> new long[points + 1]);
                change[from] += count.rows();
                change[to] -= count.rows();
            }
            if ((long) changes.size() * points > MAX_NUMBERS) {
                return Optional.empty();
            }
        }
        Map<String, long[]> sums = new HashMap<>();
        changes.forEach((value, change) -> {
            long[] sum = new long[points];
            long total = 0;
            for (int i = 0; i < points; i++) {
                total += change[i];
                sum[i] = total;
            }
            sums.put(value, sum);
        });
        return Optional.of(sums);
    }
}
