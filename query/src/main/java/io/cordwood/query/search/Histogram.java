package io.cordwood.query.search;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TimeBinCounts;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Counts of rows over time (TencentCLS, section 4.3), in total or by the value of a column. Immutable.
 *
 * @param buckets counts by the start of the bucket in milliseconds since the epoch; buckets without rows are missing
 * @param isApproximate whether a bucket has so many values that the counts of values are lower bounds
 */
public record Histogram(NavigableMap<Long, Bucket> buckets, boolean isApproximate) {
    private static final int BATCH_ROWS = 8192;
    private static final ColumnType NO_TYPE = ColumnType.VARCHAR;

    /** The maximum number of values of a bucket that are kept while it is counted. */
    private static final int MAX_VALUES = 1000;

    private static final long MAX_VALUE_BYTES = 64 << 10;
    private static final long MAX_BYTES = 16 << 20;

    /**
     * The rows of a bucket.
     *
     * @param rows number of rows
     * @param counts the most frequent values of the column, most frequent first, null included; empty without a column
     */
    public record Bucket(long rows, List<ValueCount> counts) {
        public Bucket {
            counts = List.copyOf(counts);
        }
    }

    /** What is counted of a bucket. */
    private static final class Counting {
        private final ValueCounts values;
        private long rows;

        Counting(ColumnType type, long maxBytes) {
            values = new ValueCounts(type, MAX_VALUES, maxBytes);
        }

        void add(Counting other) {
            rows += other.rows;
            values.add(other.values);
        }

        Bucket bucket(boolean byValue) {
            if (!byValue) {
                return new Bucket(rows, List.of());
            }
            List<ValueCount> counts = new ArrayList<>(values.most(MAX_VALUES));
            if (values.nulls() > 0) {
                counts.add(new ValueCount(Optional.empty(), values.nulls()));
                counts.sort(ValueCounts.ORDER);
            }
            return new Bucket(rows, counts);
        }
    }

    /**
     * Counts the rows of a filter.
     *
     * @param bin the buckets
     * @param by the column by whose value rows are counted; empty for all rows together
     */
    public static Histogram count(TableScan scan, ScanFilter filter, TimeBin bin, Optional<QueryColumn> by) {
        TreeMap<Long, Counting> total = new TreeMap<>();
        long maxBytes = maxBytes(filter.time(), bin);
        Supplier<Counting> counting =
                () -> new Counting(by.map(QueryColumn::type).orElse(NO_TYPE), maxBytes);
        ScanRequest request = new ScanRequest(
                by.stream().toList(),
                by.isPresent(),
                by.isPresent() ? Optional.empty() : Optional.of(bin),
                OptionalLong.empty(),
                Optional.empty());
        scan.run(filter, request, by.isPresent() ? Demand.ALL_ROWS : Demand.COUNTS, logBlock -> {
            Map<Long, Counting> counts = count(scan, logBlock, bin, by, counting);
            scan.finish(logBlock);
            synchronized (total) {
                counts.forEach((start, more) ->
                        total.computeIfAbsent(start, any -> counting.get()).add(more));
            }
        });
        NavigableMap<Long, Bucket> buckets = new TreeMap<>();
        synchronized (total) {
            total.forEach((start, counted) -> buckets.put(start, counted.bucket(by.isPresent())));
            return new Histogram(buckets, total.values().stream().anyMatch(counted -> counted.values.isApproximate()));
        }
    }

    /** Memory for the values of a bucket: all buckets together are bounded, too. */
    private static long maxBytes(TimeRange time, TimeBin bin) {
        long millis = switch (bin) {
            case TimeBin.Bin(long interval) -> interval;
            case TimeBin.Until(long interval, long _) -> interval;
            default -> Long.MAX_VALUE;
        };
        boolean isBounded = time.fromMicros() != Long.MIN_VALUE && time.toMicros() != Long.MAX_VALUE;
        long buckets =
                isBounded ? Math.max(1, (bin.millis(time.toMicros()) - bin.millis(time.fromMicros())) / millis + 1) : 1;
        return Math.min(MAX_VALUE_BYTES, MAX_BYTES / buckets);
    }

    private static Map<Long, Counting> count(
            TableScan scan, LogBlockReader logBlock, TimeBin bin, Optional<QueryColumn> by, Supplier<Counting> counting)
            throws IOException {
        Map<Long, Counting> counts = new TreeMap<>();
        if (logBlock.hasRows()) {
            countRows(scan, logBlock, bin, by, counting, counts);
        } else if (logBlock.bins().isPresent()) {
            TimeBinCounts bins = logBlock.bins().get();
            while (bins.advance()) {
                counts.computeIfAbsent(bins.millis(), any -> counting.get()).rows += bins.count();
            }
        } else if (logBlock.count() > 0) {
            counts.computeIfAbsent(bin.millis(logBlock.fromMicros()), any -> counting.get()).rows += logBlock.count();
        }
        return counts;
    }

    private static void countRows(
            TableScan scan,
            LogBlockReader logBlock,
            TimeBin bin,
            Optional<QueryColumn> by,
            Supplier<Counting> counting,
            Map<Long, Counting> counts)
            throws IOException {
        BatchSize batch = new BatchSize(BATCH_ROWS);
        ColumnReaders readers = logBlock.columns(batch);
        RowBuckets buckets = RowBuckets.of(readers, bin);
        Optional<ColumnReader> values = by.isPresent() ? Optional.of(readers.column(by.get())) : Optional.empty();
        scan.readRows(logBlock, batch, (rows, from, size) -> {
            Optional<Vector> vector = Optional.empty();
            if (values.isPresent()) {
                vector = Optional.of(values.get().read(rows, from, size));
                batch.add(Vectors.valueBytes(vector.get()), size);
            }
            buckets.read(rows, from, size);
            int end;
            for (int i = 0; i < size; i = end) {
                Counting counted = counts.computeIfAbsent(buckets.start(i), any -> counting.get());
                end = buckets.end(i);
                counted.rows += end - i;
                if (vector.isPresent()) {
                    counted.values.add(vector.get(), i, end);
                }
            }
        });
    }
}
