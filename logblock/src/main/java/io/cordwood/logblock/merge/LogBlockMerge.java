package io.cordwood.logblock.merge;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.Gather;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.lucene.util.IOUtils;

/**
 * A merge of several LogBlocks of one table into one sequence of rows, ordered by (ts, topic id, partition, offset,
 * ordinal). Not thread-safe.
 *
 * <p>Its memory does not grow with the inputs. It holds one column block for each column of each open LogBlock, and the
 * returned rows. A LogBlock is opened only when the merge reaches its time.
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

    /** Creates a merge of these LogBlocks into rows with the columns of the schema. */
    public LogBlockMerge(LogBlockSchema schema, List<MergeInput> inputs, ReadMetrics metrics) {
        this.schema = schema;
        this.metrics = metrics;
        this.waiting = new ArrayDeque<>(inputs.stream()
                .sorted(Comparator.comparingLong(MergeInput::firstTime))
                .toList());
    }

    /**
     * A batch of rows.
     *
     * @param columns one vector for each column of the schema
     * @param rows number of rows
     */
    public record Batch(List<Vector> columns, int rows) {}

    /**
     * The next rows, at most {@code maxRows}; none at the end.
     *
     * @throws IOException if a LogBlock cannot be read or its rows are not in order
     */
    public Batch next(long maxRows) throws IOException {
        takeRows(maxRows);
        List<Vector> columns = new ArrayList<>();
        int[] positions = positions();
        for (int column = 0; column < schema.columns().size(); column++) {
            columns.add(values(column, positions));
        }
        for (InputCursor input : involved) {
            if (input.isEnded()) {
                open.remove(input);
                input.close();
            }
        }
        return new Batch(columns, positions.length);
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
            InputCursor opened =
                    InputCursor.open(waiting.removeFirst(), schema, metrics).orElse(null);
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

    /** The position of each row in the concatenated rows of all inputs of the batch. */
    private int[] positions() {
        int[] next = new int[involved.size()];
        for (int i = 1; i < next.length; i++) {
            next[i] = next[i - 1] + involved.get(i - 1).takenRows();
        }
        int[] positions = sources.toArray();
        for (int i = 0; i < positions.length; i++) {
            positions[i] = next[positions[i]]++;
        }
        return positions;
    }

    private Vector values(int column, int[] positions) throws IOException {
        if (involved.isEmpty()) {
            return Vectors.allNull(schema.columns().get(column).type(), 0);
        }
        List<Vector> parts = new ArrayList<>();
        for (InputCursor input : involved) {
            parts.add(input.takenValues(column));
        }
        Vector all = Vectors.concat(parts);
        return involved.size() == 1 ? all : Gather.of(all, positions);
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        others.clear();
        least = null;
        try {
            IOUtils.close(open);
        } finally {
            open.clear();
        }
    }
}
