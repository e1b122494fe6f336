package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads all rows of a filter, in no order. Stateless. */
public final class RowScan {
    private static final int BATCH_ROWS = 2048;

    private RowScan() {}

    /** Receives rows. Threads call it concurrently. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Takes some rows.
         *
         * @param vectors values of each column, in the order of the columns
         * @param size number of rows
         */
        void visit(List<Vector> vectors, int size);
    }

    /** Reads the rows of the filter. @throws LimitExceededException if the question needs more than it may */
    public static void read(TableScan scan, ScanFilter filter, List<QueryColumn> columns, Visitor visitor) {
        ScanRequest request = new ScanRequest(columns, false, Optional.empty(), OptionalLong.empty(), Optional.empty());
        scan.run(filter, request, Demand.ALL_ROWS, logBlock -> {
            if (logBlock.hasRows()) {
                read(scan, logBlock, columns, visitor);
            }
            scan.finish(logBlock);
        });
    }

    private static void read(TableScan scan, LogBlockReader logBlock, List<QueryColumn> columns, Visitor visitor)
            throws IOException {
        BatchSize batch = new BatchSize(BATCH_ROWS);
        ColumnReaders readers = logBlock.columns(batch);
        List<ColumnReader> ofColumns = new ArrayList<>();
        for (QueryColumn column : columns) {
            ofColumns.add(readers.column(column));
        }
        scan.readRows(logBlock, batch, (rows, from, size) -> {
            List<Vector> vectors = new ArrayList<>(ofColumns.size());
            for (ColumnReader reader : ofColumns) {
                Vector vector = reader.read(rows, from, size);
                batch.add(Vectors.valueBytes(vector), size);
                vectors.add(vector);
            }
            visitor.visit(vectors, size);
        });
    }
}
