package io.cordwood.logblock.merge;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnValues;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.sketch.TokenFilterBuilder;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.lucene.util.IOUtils;

/**
 * A merge of several LogBlocks of one table into one sequence of rows, ordered by (ts, topic id, partition, offset,
 * ordinal). Not thread-safe.
 *
 * <p>It holds one column block for each column of each LogBlock whose time it is, and the returned rows. A LogBlock is
 * opened only when the merge reaches its time.
 *
 * <p>Text without a dictionary is copied, page by page, where no rows of other inputs and no deleted ones lie between
 * the rows of a page, and so are the terms of these pages. They are most of the bytes and of the work of a merge. The
 * inputs that a LogBlock has pages of stay open until {@link #endLogBlock}, with up to 128 MB of their indexes.
 */
public final class LogBlockMerge implements Closeable {
    /** The approximate decoded size of a batch. */
    private static final long BATCH_BYTES = 32 << 20;

    private static final int MAX_BATCH_ROWS = 1 << 17;
    private static final int MIN_BATCH_ROWS = 1 << 7;

    private final LogBlockSchema schema;
    private final ReadMetrics metrics;
    private final Deque<MergeInput> waiting;
    /** The inputs ordered by their current row, without the one that has the least. */
    private final PriorityQueue<InputCursor> others =
            new PriorityQueue<>((a, b) -> a == b ? 0 : a.isBefore(b) ? -1 : 1);

    private InputCursor least;
    /** The inputs of the batch, in the order of their first row. */
    private final List<InputCursor> involved = new ArrayList<>();

    private final RowNumbers sources = new RowNumbers();
    private final Set<InputCursor> open = new HashSet<>();
    private final boolean copiesText;
    private final LoadedIndexes indexes = new LoadedIndexes();
    /** Positions of the columns that the current LogBlock gets as pages; empty until its first row. */
    private Optional<BitSet> copied = Optional.empty();
    /** Inputs whose pages the current LogBlock may have. */
    private final List<InputCursor> ended = new ArrayList<>();

    /**
     * Creates a merge of these LogBlocks into rows with the columns of the schema.
     *
     * @param copiesText whether text is copied where it can be; else all values are read
     */
    public LogBlockMerge(LogBlockSchema schema, List<MergeInput> inputs, boolean copiesText, ReadMetrics metrics) {
        this.schema = schema;
        this.copiesText = copiesText;
        this.metrics = metrics;
        this.waiting = new ArrayDeque<>(inputs.stream()
                .sorted(Comparator.comparingLong(MergeInput::firstTime))
                .toList());
    }

    /**
     * A batch of rows.
     *
     * @param columns the values of each column of the schema
     * @param rows number of rows
     */
    public record Batch(List<ColumnValues> columns, int rows) {
        /** Adds the rows to a LogBlock, which must be finished before {@link LogBlockMerge#endLogBlock}. */
        public void appendTo(LogBlockWriter writer) throws IOException {
            List<Vector> vectors = new ArrayList<>();
            for (ColumnValues column : columns) {
                if (column.inMemory().isEmpty()) {
                    writer.appendCopied(columns, rows);
                    return;
                }
                vectors.add(column.inMemory().get());
            }
            writer.append(vectors, rows);
        }
    }

    /**
     * The next rows, at most {@code maxRows}; none at the end.
     *
     * @throws IOException if a LogBlock cannot be read or its rows are not in order
     */
    public Batch next(long maxRows) throws IOException {
        takeRows(maxRows);
        if (copied.isEmpty() && !involved.isEmpty()) {
            copied = Optional.of(columnsToCopy());
        }
        List<ColumnValues> columns = new ArrayList<>();
        RowOrder order = new RowOrder(
                sources.toArray(),
                involved.stream().mapToInt(InputCursor::takenRows).toArray());
        for (int column = 0; column < schema.columns().size(); column++) {
            columns.add(
                    isCopied(column)
                            ? new TextCopy(schema.columns().get(column), involved, sources.toArray()).parts(column)
                            : ColumnValues.of(values(column, order)));
        }
        for (InputCursor input : involved) {
            if (input.isEnded() && input.isCopied()) {
                input.forgetValues();
                ended.add(input);
            } else if (input.isEnded()) {
                open.remove(input);
                input.close();
            }
        }
        return new Batch(columns, sources.size());
    }

    private boolean isCopied(int column) {
        return !involved.isEmpty() && copied.map(columns -> columns.get(column)).orElse(false);
    }

    /** The columns that the first input allows to copy: those of the next inputs will mostly be alike. */
    private BitSet columnsToCopy() throws IOException {
        BitSet columns = new BitSet();
        for (int i = 0; i < schema.columns().size() && copiesText; i++) {
            Column column = schema.columns().get(i);
            if (column.index() == IndexKind.TEXT && !column.required()) {
                columns.set(i, isToCopy(involved.getFirst(), column));
            }
        }
        return columns;
    }

    private static boolean isToCopy(InputCursor input, Column column) throws IOException {
        // A LogBlock of fewer terms has a token filter, which is made of the terms
        return input.storedText(column).isPresent()
                && input.terms(column)
                        .filter(terms -> terms.allTerms() > TokenFilterBuilder.MAX_TERMS)
                        .isPresent();
    }

    /** Ends the LogBlock that the rows so far were written to; its pages need no longer be read. */
    public void endLogBlock() throws IOException {
        copied = Optional.empty();
        for (InputCursor input : ended) {
            open.remove(input);
            input.close();
        }
        ended.clear();
    }

    private void takeRows(long maxRows) throws IOException {
        sources.clear();
        involved.forEach(InputCursor::forgetTaken);
        involved.clear();
        openDue();
        if (least == null) {
            return;
        }
        long limit = limit(maxRows);
        while (least != null && sources.size() < limit) {
            if (least.takenRows() == 0) {
                least.number(involved.size());
                involved.add(least);
            }
            sources.add(least.source());
            if (least.take()) {
                if (!others.isEmpty() && others.peek().isBefore(least)) {
                    others.add(least);
                    least = others.poll();
                }
            } else {
                least = others.poll();
            }
            if (openDue()) {
                limit = Math.min(limit, limit(maxRows));
            }
        }
    }

    /** The number of rows of a batch, if all rows are as wide as those of the widest input. */
    private long limit(long maxRows) {
        long widest = 1;
        for (InputCursor input : open) {
            widest = Math.max(widest, input.averageRowBytes());
        }
        return Math.min(maxRows, Math.clamp(BATCH_BYTES / widest, MIN_BATCH_ROWS, MAX_BATCH_ROWS));
    }

    /**
     * Opens the inputs that may hold a row at or before the least.
     *
     * @return whether an input was opened
     */
    private boolean openDue() throws IOException {
        boolean opens = false;
        while (!waiting.isEmpty() && (least == null || waiting.getFirst().firstTime() <= least.time())) {
            InputCursor opened = InputCursor.open(waiting.removeFirst(), schema, indexes, metrics)
                    .orElse(null);
            if (opened == null) {
                continue;
            }
            open.add(opened);
            opens = true;
            if (least == null) {
                least = opened;
            } else if (opened.isBefore(least)) {
                others.add(least);
                least = opened;
            } else {
                others.add(opened);
            }
        }
        return opens;
    }

    private Vector values(int column, RowOrder order) throws IOException {
        if (involved.isEmpty()) {
            return Vectors.allNull(schema.columns().get(column).type(), 0);
        }
        List<Vector> parts = new ArrayList<>();
        for (InputCursor input : involved) {
            parts.add(input.values(column, input.taken()));
        }
        return order.apply(parts);
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        others.clear();
        ended.clear();
        least = null;
        try {
            IOUtils.close(open);
        } finally {
            open.clear();
        }
    }
}
