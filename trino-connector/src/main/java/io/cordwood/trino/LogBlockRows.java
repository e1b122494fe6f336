package io.cordwood.trino;

import io.cordwood.logblock.BooleanVector;
import io.cordwood.logblock.Column;
import io.cordwood.logblock.ColumnCursor;
import io.cordwood.logblock.ColumnType;
import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.LogBlockSchema;
import io.cordwood.logblock.LongVector;
import io.cordwood.logblock.Predicate;
import io.cordwood.logblock.Predicate.ValueRange;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.ReadOptions;
import io.cordwood.logblock.RowSet;
import io.cordwood.logblock.TimeRange;
import io.cordwood.logblock.Vector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds the rows of one LogBlock that a scan wants. Not thread-safe. */
final class LogBlockRows {
    private static final int RESIDUAL_BATCH = 4096;

    private final LogBlock logBlock;
    private final TableBinding binding;
    private final ReadMetrics metrics;

    LogBlockRows(LogBlock logBlock, TableBinding binding, ReadMetrics metrics) {
        this.logBlock = logBlock;
        this.binding = binding;
        this.metrics = metrics;
    }

    /** The rows in the time range for which all conditions on SQL columns are true, ascending. */
    int[] select(TimeRange time, List<Predicate> conjuncts, ReadOptions options) throws IOException {
        BoundPredicate predicate = bind(time, conjuncts);
        int[] rows = select(time, predicate.pushed(), options).toArray();
        for (Predicate residual : predicate.residual()) {
            rows = filter(rows, residual);
        }
        return rows;
    }

    /** The rows that {@link #select} would give, where their numbers are enough. */
    SelectedRows find(TimeRange time, List<Predicate> conjuncts, ReadOptions options) throws IOException {
        BoundPredicate predicate = bind(time, conjuncts);
        return predicate.residual().isEmpty()
                ? SelectedRows.of(select(time, predicate.pushed(), options))
                : SelectedRows.of(select(time, conjuncts, options));
    }

    private BoundPredicate bind(TimeRange time, List<Predicate> conjuncts) {
        List<Predicate> terms = new ArrayList<>(conjuncts);
        if (!logBlock.isOrdered() && !time.equals(TimeRange.ALL)) {
            terms.add(inRange(time));
        }
        return new PredicateBinder(binding).bind(terms);
    }

    private RowSet select(TimeRange time, Predicate pushed, ReadOptions options) throws IOException {
        return logBlock.select(logBlock.isOrdered() ? time : TimeRange.ALL, pushed, options, metrics);
    }

    private static Predicate inRange(TimeRange time) {
        return new Predicate.In(
                PredicateJson.unbound(LogBlockSchema.TS, ColumnType.TIMESTAMP),
                List.of(new ValueRange(Optional.of(time.fromMicros()), true, Optional.of(time.toMicros()), true)));
    }

    private int[] filter(int[] rows, Predicate predicate) throws IOException {
        BatchSize batch = new BatchSize(RESIDUAL_BATCH);
        ColumnReader reader = new ColumnReaders(logBlock, binding, metrics, batch).predicate(predicate);
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

    /** The first or last of the rows, which are in time order, and where asked for those of the same time. */
    int[] top(int[] rows, CordwoodTableHandle.TopN topN, ReadOptions options) throws IOException {
        if (rows.length <= topN.count()) {
            return rows;
        }
        int count = (int) topN.count();
        if (count == 0) {
            return new int[0];
        }
        if (topN.newest()) {
            int first = rows.length - count;
            return Arrays.copyOfRange(rows, topN.withTies() ? firstTie(rows, first, options) : first, rows.length);
        }
        int end = count;
        return Arrays.copyOf(rows, topN.withTies() ? pastLastTie(rows, end, options) : end);
    }

    private int firstTie(int[] rows, int position, ReadOptions options) throws IOException {
        int firstRow = sameTime(rows[position], options).nextRow(0);
        int first = position;
        while (first > 0 && rows[first - 1] >= firstRow) {
            first--;
        }
        return first;
    }

    private int pastLastTie(int[] rows, int end, ReadOptions options) throws IOException {
        int lastRow = sameTime(rows[end - 1], options).previousRow(logBlock.rowCount() - 1);
        int past = end;
        while (past < rows.length && rows[past] <= lastRow) {
            past++;
        }
        return past;
    }

    private RowSet sameTime(int row, ReadOptions options) throws IOException {
        long micros = time(row);
        return logBlock.select(new TimeRange(micros, micros), Predicate.TRUE, options, metrics);
    }

    /** The time of a row. */
    long time(int row) throws IOException {
        Column ts = binding.sources(LogBlockSchema.TS).getFirst();
        ColumnCursor cursor = logBlock.cursor(ts, metrics);
        return ((LongVector) cursor.read(new int[] {row}, 0, 1)).values()[0];
    }
}
