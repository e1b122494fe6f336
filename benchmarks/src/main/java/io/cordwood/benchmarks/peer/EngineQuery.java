package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.MinuteRuns;
import io.cordwood.benchmarks.peer.Peer.Answer;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.scan.RowRange;
import io.cordwood.logblock.scan.RowSet;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/** Answers a query of the set on LogBlocks, without Trino. Not thread-safe. */
final class EngineQuery {
    private static final int BATCH_ROWS = 8192;
    private static final int TOP = 10;
    /** Number of ranges that the rows are divided into: more would mean more round trips. */
    private static final int RANGES = EnginePeer.THREADS;
    /** Minimum number of rows of a LogBlock for a separate thread. */
    private static final int MIN_RANGE_ROWS = 1 << 11;
    /** The minimum if the rows are only counted. */
    private static final int MIN_COUNTED_RANGE_ROWS = 1 << 16;

    private static final int MAX_RANGE_ROWS = 1 << 18;
    /** Leaves all work to the caller: waking a thread takes longer than a small amount of work. */
    private static final Executor NOBODY = task -> {};
    /** As in the connector: for this few rows a round trip costs more than its data. */
    private static final int PREFETCH_ROWS = 1024;

    private final BenchQuery query;
    private final LogBlockSchema schema;
    private final ReadOptions options;
    private final ReadMetrics metrics;

    EngineQuery(BenchQuery query, LogBlockSchema schema, ReadOptions options, ReadMetrics metrics) {
        this.query = query;
        this.schema = schema;
        this.options = options;
        this.metrics = metrics;
    }

    /** A LogBlock that is opened when the query reaches it. */
    interface Source {
        boolean isOpen();

        LogBlock open() throws IOException;
    }

    /** A row range of an open LogBlock, and the scan that finds the matching rows. */
    private record ScanRange(LogBlock block, RowRange rows, LogBlockScan scan) {
        List<ScanRange> cut(int size) {
            List<ScanRange> scanRanges = new ArrayList<>();
            for (int from = rows.from(); from < rows.to(); from += size) {
                RowRange part = new RowRange(from, Math.min(rows.to(), from + size));
                scanRanges.add(new ScanRange(block, part, scan.part(part)));
            }
            return scanRanges;
        }
    }

    /** The result of one range: times or minutes are in the checksum; counts by value are for Q8. */
    private record Part(Answer answer, Map<String, Integer> counts) {}

    /**
     * Answers the query.
     *
     * @param blocks oldest first
     * @param workers help the caller with one range each, unless the query needs only the first ranges with enough rows
     */
    Answer run(List<Source> blocks, Executor workers) throws IOException {
        boolean newestFirst = query.template().equals("Q5");
        if (newestFirst || query.template().equals("Q6")) {
            return firstRows(newestFirst ? blocks.reversed() : blocks, newestFirst);
        }
        boolean allOpen = blocks.stream().allMatch(Source::isOpen);
        List<ScanRange> wholes = inParallel(blocks.stream().map(this::opening).toList(), allOpen ? NOBODY : workers);
        int rows = wholes.stream().mapToInt(whole -> whole.rows().length()).sum();
        int least = query.template().equals("Q7") ? MIN_COUNTED_RANGE_ROWS : MIN_RANGE_ROWS;
        int size = Math.clamp(Math.ceilDiv(rows, RANGES), least, MAX_RANGE_ROWS);
        List<ScanRange> scanRanges =
                wholes.stream().flatMap(whole -> whole.cut(size).stream()).toList();
        List<Part> parts =
                inParallel(scanRanges.stream().map(this::reading).toList(), rows <= least ? NOBODY : workers);
        Map<String, Integer> counts = new HashMap<>();
        Answer sum = Answer.NOTHING;
        for (Part part : parts) {
            sum = sum.plus(part.answer());
            part.counts().forEach((value, count) -> counts.merge(value, count, Integer::sum));
        }
        return query.template().equals("Q8") ? new Answer(Math.min(TOP, counts.size()), 0) : sum;
    }

    private Answer firstRows(List<Source> blocks, boolean newestFirst) throws IOException {
        long limit = query.parameters().get("limit").asLong();
        Answer sum = Answer.NOTHING;
        for (Source source : blocks) {
            LogBlockScan scan = firstRows(source.open(), newestFirst);
            for (Optional<RowSet> found = scan.next(); found.isPresent(); found = scan.next()) {
                int[] rows = found.get().toArray();
                int count = (int) Math.min(rows.length, limit - sum.rows());
                int from = newestFirst ? rows.length - count : 0;
                sum = sum.plus(values(scan, Arrays.copyOfRange(rows, from, from + count), Map.of()));
                if (sum.rows() >= limit) {
                    return sum;
                }
            }
        }
        return sum;
    }

    /** The caller takes tasks that no thread has started, so that a small task does not wait for another thread. */
    private <T> List<T> inParallel(List<Callable<T>> work, Executor workers) throws IOException {
        List<FutureTask<T>> tasks = work.stream().map(FutureTask::new).toList();
        tasks.reversed().subList(0, Math.max(0, tasks.size() - 1)).forEach(workers::execute);
        tasks.forEach(FutureTask::run);
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException(query.name());
            }
        }
        return results;
    }

    private Callable<ScanRange> opening(Source source) {
        return () -> {
            LogBlock block = source.open();
            RowRange rows = block.rows(range(), options, metrics);
            return new ScanRange(block, rows, block.scan(rows, predicate(), ScanDirection.ALL, options, metrics));
        };
    }

    private Callable<Part> reading(ScanRange scanRange) {
        return () -> {
            LogBlockScan scan = scanRange.scan();
            if (query.template().equals("Q7")) {
                return new Part(histogram(scan, new MinuteRuns(scanRange.block().times(options, metrics))), Map.of());
            }
            Map<String, Integer> counts = new HashMap<>();
            Answer sum = Answer.NOTHING;
            for (Optional<RowSet> found = scan.next(); found.isPresent(); found = scan.next()) {
                sum = sum.plus(values(scan, found.get().toArray(), counts));
            }
            return new Part(sum, counts);
        };
    }

    private LogBlockScan firstRows(LogBlock block, boolean newestFirst) throws IOException {
        ScanDirection direction = newestFirst ? ScanDirection.LAST : ScanDirection.FIRST;
        return block.scan(block.rows(range(), options, metrics), predicate(), direction, options, metrics);
    }

    private static Answer histogram(LogBlockScan scan, MinuteRuns minutes) throws IOException {
        Answer sum = Answer.NOTHING;
        for (Optional<RowSet> found = scan.next(); found.isPresent(); found = scan.next()) {
            RowSet rows = found.get();
            for (int row = rows.nextRow(0); row >= 0; row = rows.nextRow(minutes.end())) {
                minutes.seek(row);
                int count = rows.cardinality(row, minutes.end());
                sum = sum.plus(new Answer(count, Answer.checksum(minutes.minute(), count)));
            }
        }
        return sum;
    }

    TimeRange range() {
        return new TimeRange(query.fromMicros(), query.toMicros() - 1);
    }

    private Column column(String name) {
        return schema.column(name).orElseThrow();
    }

    Predicate predicate() {
        return switch (query.template()) {
            case "Q1" ->
                new Predicate.And(List.of(
                        equal("ip", text("ip")),
                        new Predicate.In(
                                column("latency"),
                                List.of(new ValueRange(
                                        Optional.of(query.parameters()
                                                .get("latency")
                                                .asLong()),
                                        true,
                                        Optional.empty(),
                                        false))),
                        new Predicate.In(column("fail"), List.of(ValueRange.equal(false)))));
            case "Q3" -> new Predicate.And(List.of(match(text("token")), match(text("token2"))));
            case "Q4" -> match('"' + text("phrase") + '"');
            case "Q8" -> equal("api", text("api"));
            default -> query.parameters().has("token") ? match(text("token")) : Predicate.TRUE;
        };
    }

    private String text(String parameter) {
        return query.parameters().get(parameter).asText();
    }

    private Predicate equal(String name, String value) {
        return new Predicate.In(column(name), List.of(ValueRange.equal(value)));
    }

    private Predicate match(String text) {
        return new Predicate.Match(column("log"), MatchQuery.parse(text));
    }

    /** Takes the values of rows of the scan's last batch. */
    private Answer values(LogBlockScan scan, int[] rows, Map<String, Integer> counts) throws IOException {
        List<String> names = switch (query.template()) {
            case "Q1" -> List.of("log");
            case "Q2" -> List.of("ts", "ip", "api", "log");
            case "Q8" -> List.of("ip");
            default -> List.of("ts", "log");
        };
        if (rows.length > 0 && rows.length <= PREFETCH_ROWS) {
            scan.prefetch(names.stream().map(this::column).toList(), rows);
        }
        long checksum = 0;
        for (String name : names) {
            ColumnCursor cursor = scan.cursor(column(name));
            for (int from = 0; from < rows.length; from += BATCH_ROWS) {
                Vector values = cursor.read(rows, from, Math.min(BATCH_ROWS, rows.length - from));
                if (values instanceof LongVector times) {
                    checksum += times(times);
                } else if (query.template().equals("Q8")) {
                    count((StringVector) values, counts);
                }
            }
        }
        return new Answer(rows.length, checksum);
    }

    private static long times(LongVector times) {
        long checksum = 0;
        for (int i = 0; i < times.length(); i++) {
            checksum += Answer.checksum(times.values()[i], 1);
        }
        return checksum;
    }

    private static void count(StringVector values, Map<String, Integer> counts) {
        int[] bySlot = new int[values.offsets().length - 1];
        for (int i = 0; i < values.length(); i++) {
            bySlot[values.slot(i)]++;
        }
        for (int i = 0; i < values.length(); i++) {
            int slot = values.slot(i);
            if (bySlot[slot] > 0) {
                counts.merge(values.string(i), bySlot[slot], Integer::sum);
                bySlot[slot] = 0;
            }
        }
    }
}
