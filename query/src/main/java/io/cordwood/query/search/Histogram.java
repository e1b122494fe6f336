package io.cordwood.query.search;

import io.cordwood.logblock.schema.ColumnType;
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

        Counting(ColumnType type) {
            values = new ValueCounts(type, MAX_VALUES, MAX_VALUE_BYTES);
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
        ScanRequest request = new ScanRequest(
                by.stream().toList(),
                by.isPresent(),
                by.isPresent() ? Optional.empty() : Optional.of(bin),
                OptionalLong.empty(),
                Optional.empty());
        scan.run(filter, request, by.isPresent() ? Demand.ALL_ROWS : Demand.COUNTS, logBlock -> {
            Map<Long, Counting> counts = count(scan, logBlock, bin, by);
            scan.finish(logBlock);
            synchronized (total) {
                counts.forEach((start, counting) ->
                        total.computeIfAbsent(start, any -> counting(by)).add(counting));
            }
        });
        NavigableMap<Long, Bucket> buckets = new TreeMap<>();
        synchronized (total) {
            total.forEach((start, counting) -> buckets.put(start, counting.bucket(by.isPresent())));
            return new Histogram(
                    buckets, total.values().stream().anyMatch(counting -> counting.values.isApproximate()));
        }
    }

    private static Counting counting(Optional<QueryColumn> by) {
        return new Counting(by.map(QueryColumn::type).orElse(NO_TYPE));
    }

    private static Map<Long, Counting> count(
            TableScan scan, LogBlockReader logBlock, TimeBin bin, Optional<QueryColumn> by) throws IOException {
        Map<Long, Counting> counts = new TreeMap<>();
        if (logBlock.hasRows()) {
            countRows(scan, logBlock, bin, by, counts);
        } else if (logBlock.bins().isPresent()) {
            TimeBinCounts bins = logBlock.bins().get();
            while (bins.advance()) {
                counts.computeIfAbsent(bins.millis(), any -> counting(by)).rows += bins.count();
            }
        } else if (logBlock.count() > 0) {
            counts.computeIfAbsent(bin.millis(logBlock.fromMicros()), any -> counting(by)).rows += logBlock.count();
        }
        return counts;
    }

    private static void countRows(
            TableScan scan, LogBlockReader logBlock, TimeBin bin, Optional<QueryColumn> by, Map<Long, Counting> counts)
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
                Counting counting = counts.computeIfAbsent(buckets.start(i), any -> counting(by));
                end = buckets.end(i);
                counting.rows += end - i;
                if (vector.isPresent()) {
                    counting.values.add(vector.get(), i, end);
                }
            }
        });
    }
}
