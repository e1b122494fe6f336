package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The most frequent values of a column. Immutable.
 *
 * @param values the values with the most rows, most frequent first, without null
 * @param distinct number of different values, without null
 * @param nulls number of rows without a value
 * @param isApproximate whether the column has so many values that the counts, and {@code distinct}, are lower bounds
 */
public record TopValues(List<ValueCount> values, long distinct, long nulls, boolean isApproximate) {
    private static final int BATCH_ROWS = 8192;

    public TopValues {
        values = List.copyOf(values);
    }

    /** Counts the rows of the filter by the value of a column. */
    public static TopValues find(TableScan scan, ScanFilter filter, QueryColumn column, int limit) {
        ValueCounts total = new ValueCounts(column.type());
        scan.run(filter, request(column), Demand.ALL_ROWS, logBlock -> {
            ValueCounts counts = count(scan, logBlock, column);
            scan.finish(logBlock);
            synchronized (total) {
                total.add(counts);
            }
        });
        synchronized (total) {
            return new TopValues(total.most(limit), total.values(), total.nulls(), total.isApproximate());
        }
    }

    private static ScanRequest request(QueryColumn column) {
        return new ScanRequest(List.of(column), false, Optional.empty(), OptionalLong.empty(), Optional.empty());
    }

    private static ValueCounts count(TableScan scan, LogBlockReader logBlock, QueryColumn column) throws IOException {
        ValueCounts counts = new ValueCounts(column.type());
        if (!logBlock.hasRows()) {
            return counts;
        }
        BatchSize batch = new BatchSize(BATCH_ROWS);
        ColumnReader values = logBlock.columns(batch).column(column);
        scan.readRows(logBlock, batch, (rows, from, size) -> {
            Vector vector = values.read(rows, from, size);
            batch.add(Vectors.valueBytes(vector), size);
            counts.add(vector, 0, size);
        });
        return counts;
    }
}
