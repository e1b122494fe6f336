package io.cordwood.query.scan;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.scan.RowRange;
import io.cordwood.logblock.scan.RowSet;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.binding.BoundPredicate;
import io.cordwood.query.binding.PredicateBinder;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The rows of one LogBlock that a scan selects: those in a time range for which all conditions are true. Not
 * thread-safe.
 */
final class LogBlockRows implements RowBatches {
    private static final int RESIDUAL_BATCH = 4096;

    private final LogBlock logBlock;
    private final TableBinding binding;
    private final BoundPredicate predicate;
    private final DeletedRows deleted;
    private final ScanDirection direction;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final LogBlockScan scan;

    private LogBlockRows(
            LogBlock logBlock,
            TableBinding binding,
            RowRange rows,
            BoundPredicate predicate,
            DeletedRows deleted,
            ScanDirection direction,
            ReadOptions options,
            ReadMetrics metrics) {
        this.logBlock = logBlock;
        this.binding = binding;
        this.predicate = predicate;
        this.deleted = deleted;
        this.direction = direction;
        this.options = options;
        this.metrics = metrics;
        this.scan = logBlock.scan(rows, predicate.pushed(), direction, options, metrics);
    }

    /**
     * Begins a scan.
     *
     * @param conjuncts conditions on SQL columns
     * @param deleted the deleted rows
     */
    static LogBlockRows of(
            LogBlock logBlock,
            TableBinding binding,
            TimeRange time,
            List<Predicate> conjuncts,
            DeletedRows deleted,
            ScanDirection direction,
            ReadOptions options,
            ReadMetrics metrics)
            throws IOException {
        List<Predicate> terms = new ArrayList<>(conjuncts);
        if (!logBlock.isOrdered() && !time.equals(TimeRange.ALL)) {
            terms.add(inRange(time));
        }
        RowRange rows = logBlock.isOrdered() ? logBlock.rows(time, options, metrics) : logBlock.rows();
        BoundPredicate predicate = new PredicateBinder(binding).bind(terms);
        return new LogBlockRows(logBlock, binding, rows, predicate, deleted, direction, options, metrics);
    }

    private static Predicate inRange(TimeRange time) {
        return new Predicate.In(
                PredicateJson.unbound(LogBlockSchema.TS, ColumnType.TIMESTAMP),
                List.of(new ValueRange(Optional.of(time.fromMicros()), true, Optional.of(time.toMicros()), true)));
    }

    @Override
    public Optional<int[]> next() throws IOException {
        Optional<RowSet> found = scan.next();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        int[] rows = live(found.get()).toArray();
        for (Predicate residual : predicate.residual()) {
            rows = filter(rows, residual);
        }
        return Optional.of(rows);
    }

    private RowSet live(RowSet found) {
        return deleted.isEmpty() ? found : found.without(deleted.toArray());
    }

    /** The range of rows that was searched last. */
    RowRange batch() {
        return scan.batch();
    }

    /** The memory of the scan, in bytes. */
    long retainedBytes() {
        return scan.retainedBytes();
    }

    /** All remaining rows. */
    SelectedRows all() throws IOException {
        if (predicate.residual().isEmpty()) {
            return SelectedRows.of(live(scan.all()));
        }
        int[] rows = new int[0];
        int size = 0;
        for (Optional<int[]> next = next(); next.isPresent(); next = next()) {
            int[] found = next.get();
            if (size + found.length > rows.length) {
                rows = Arrays.copyOf(rows, Math.max(2 * rows.length, size + found.length));
            }
            System.arraycopy(found, 0, rows, size, found.length);
            size += found.length;
        }
        return SelectedRows.of(Arrays.copyOf(rows, size));
    }

    /** This scan over other rows. */
    LogBlockRows within(RowRange rows) {
        return new LogBlockRows(logBlock, binding, rows, predicate, deleted, direction, options, metrics);
    }

    /** Fetches the values of columns at rows of the last batch in one request. */
    void prefetch(List<QueryColumn> columns, int[] rows) throws IOException {
        List<Column> stored = columns.stream()
                .filter(column -> column.source() == QueryColumn.Source.STORED
                        && binding.constant(column.name()).isEmpty())
                .flatMap(column -> binding.sources(column.name()).stream())
                .toList();
        scan.prefetch(stored, rows);
    }

    /** Creates readers of columns at the rows of the last batch. */
    ColumnReaders readers(BatchSize batch) {
        return new ColumnReaders(logBlock, scan, binding, options, metrics, batch);
    }

    /** Creates readers of columns at any rows, independent of this scan. */
    ColumnReaders readersOfAnyRows() {
        LogBlockScan all = logBlock.scan(logBlock.rows(), Predicate.TRUE, ScanDirection.ALL, options, metrics);
        return new ColumnReaders(logBlock, all, binding, options, metrics, new BatchSize(1));
    }

    /** The approximate bytes of columns' text in each row, without reading it. */
    TextSizes textSizes(List<QueryColumn> columns) {
        List<Column> sources = columns.stream()
                .flatMap(column -> binding.sources(column.name()).stream())
                .filter(logBlock::hasText)
                .toList();
        return row -> {
            long bytes = 0;
            for (Column source : sources) {
                bytes += logBlock.estimatedTextBytes(source, row);
            }
            return bytes;
        };
    }

    private int[] filter(int[] rows, Predicate residual) throws IOException {
        BatchSize batch = new BatchSize(RESIDUAL_BATCH);
        ColumnReader reader = readers(batch).predicate(residual);
        int[] kept = new int[rows.length];
        int size = 0;
        int count;
        for (int from = 0; from < rows.length; from += count) {
            count = batch.next(rows.length - from);
            Vector flags = reader.read(rows, from, count);
            for (int i = 0; i < count; i++) {
                if (!flags.isNull(i) && ((BooleanVector) flags).values()[i]) {
                    kept[size++] = rows[from + i];
                }
            }
        }
        return Arrays.copyOf(kept, size);
    }

    /** All rows of the LogBlock with the same time as this row. */
    RowRange sameTime(int row) throws IOException {
        long micros = time(row);
        return logBlock.rows(new TimeRange(micros, micros), options, metrics);
    }

    /** The time of a row of the last batch. */
    long time(int row) throws IOException {
        Column ts = binding.sources(LogBlockSchema.TS).getFirst();
        return ((LongVector) scan.cursor(ts).read(new int[] {row}, 0, 1)).values()[0];
    }
}
