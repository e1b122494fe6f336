package io.cordwood.logblock.merge;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cursor over the rows of one open LogBlock that are not deleted, in order. Not thread-safe. */
final class InputCursor implements Closeable {
    private static final int KEYS_AT_ONCE = 8192;

    private final LogBlock block;
    private final int[] deletedRows;
    private final List<ColumnCursor> values = new ArrayList<>();
    private final ColumnCursor times;
    private final ColumnCursor topicIds;
    private final ColumnCursor partitions;
    private final ColumnCursor offsets;
    private final ColumnCursor ordinals;

    private int nextRow;
    private int nextDeleted;
    /** Rows whose keys have been read. */
    private int[] rows = new int[0];

    private RowKeys keys;
    private int position;
    /** Rows that are in the batch. */
    private final RowNumbers taken = new RowNumbers();

    private int source;
    private boolean ended;

    private InputCursor(LogBlock block, MergeInput input, LogBlockSchema schema, ReadMetrics metrics)
            throws IOException {
        this.block = block;
        this.deletedRows = input.deletedRows();
        for (Column column : schema.columns()) {
            values.add(block.cursor(column, metrics));
        }
        // Keys are read ahead of values, so they have separate cursors.
        this.times = key(schema, LogBlockSchema.TS, metrics);
        this.topicIds = key(schema, LogBlockSchema.KAFKA_TOPIC_ID, metrics);
        this.partitions = key(schema, LogBlockSchema.KAFKA_PARTITION, metrics);
        this.offsets = key(schema, LogBlockSchema.KAFKA_OFFSET, metrics);
        this.ordinals = key(schema, LogBlockSchema.KAFKA_ORDINAL, metrics);
    }

    /**
     * Opens a cursor at the first row.
     *
     * @return empty if all rows are deleted
     * @throws LogBlockException if the rows are not in time order
     */
    static Optional<InputCursor> open(MergeInput input, LogBlockSchema schema, ReadMetrics metrics) throws IOException {
        LogBlock block = input.opener().open(metrics);
        try {
            if (!block.isOrdered()) {
                throw new LogBlockException(block.location(), "rows are not in time order, so it cannot be merged");
            }
            InputCursor cursor = new InputCursor(block, input, schema, metrics);
            if (cursor.loadKeys()) {
                return Optional.of(cursor);
            }
        } catch (IOException | RuntimeException e) {
            block.close();
            throw e;
        }
        block.close();
        return Optional.empty();
    }

    private ColumnCursor key(LogBlockSchema schema, String name, ReadMetrics metrics) throws IOException {
        return block.cursor(schema.column(name).orElseThrow(), metrics);
    }

    boolean isBefore(InputCursor other) {
        return RowKeys.compare(keys, position, other.keys, other.position) < 0;
    }

    /** The time of the current row. */
    long time() {
        return keys.times()[position];
    }

    /** The average decoded size of a row in bytes. */
    long averageRowBytes() {
        return block.decodedBytes() / Math.max(1, block.rowCount());
    }

    /**
     * Takes the current row into the batch and moves to the next.
     *
     * @return whether there is a next row
     */
    boolean take() throws IOException {
        taken.add(rows[position]);
        position++;
        ended = position == rows.length && !loadKeys();
        return !ended;
    }

    /** Sets its number among the inputs of the batch. */
    void number(int newSource) {
        source = newSource;
    }

    /** Its number among the inputs of the batch. */
    int source() {
        return source;
    }

    /** Forgets the rows of a batch. */
    void forgetTaken() {
        taken.clear();
    }

    /** Whether all rows have been taken. */
    boolean isEnded() {
        return ended;
    }

    /** The number of its rows in the batch. */
    int takenRows() {
        return taken.size();
    }

    /** Reads the values of a column at the taken rows. */
    Vector takenValues(int column) throws IOException {
        return values.get(column).read(taken.toArray(), 0, taken.size());
    }

    private boolean loadKeys() throws IOException {
        RowNumbers next = new RowNumbers();
        while (next.size() < KEYS_AT_ONCE && nextRow < block.rowCount()) {
            if (nextDeleted < deletedRows.length && deletedRows[nextDeleted] == nextRow) {
                nextDeleted++;
            } else {
                next.add(nextRow);
            }
            nextRow++;
        }
        rows = next.toArray();
        position = 0;
        if (rows.length == 0) {
            return false;
        }
        keys = new RowKeys(longs(times), strings(topicIds), longs(partitions), longs(offsets), longs(ordinals));
        return true;
    }

    private long[] longs(ColumnCursor cursor) throws IOException {
        return ((LongVector) cursor.read(rows, 0, rows.length)).values();
    }

    /** Reads topic ids, with one object for each distinct id, because most rows share one. */
    private String[] strings(ColumnCursor cursor) throws IOException {
        StringVector vector = (StringVector) cursor.read(rows, 0, rows.length);
        Map<String, String> known = new HashMap<>();
        String[] bySlot = new String[vector.offsets().length - 1];
        String[] strings = new String[rows.length];
        for (int i = 0; i < strings.length; i++) {
            int slot = vector.slot(i);
            if (bySlot[slot] == null) {
                String value = vector.string(i);
                bySlot[slot] = known.computeIfAbsent(value, any -> value);
            }
            strings[i] = bySlot[slot];
        }
        return strings;
    }

    @Override
    public void close() throws IOException {
        block.close();
    }
}
