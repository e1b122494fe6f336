package io.cordwood.logblock.merge;

import io.cordwood.logblock.index.FieldIndex;
import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.StoredText;
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
    private static final int MIN_PAGES = 8;
    private static final List<String> KEYS = List.of(
            LogBlockSchema.TS,
            LogBlockSchema.KAFKA_TOPIC_ID,
            LogBlockSchema.KAFKA_PARTITION,
            LogBlockSchema.KAFKA_OFFSET,
            LogBlockSchema.KAFKA_ORDINAL);

    private final LogBlock block;
    private final ReadMetrics metrics;
    private final int[] deletedRows;
    private final List<ColumnCursor> values = new ArrayList<>();
    /** Those of {@link #KEYS}, which are read ahead of values. */
    private final List<ColumnCursor> keyValues = new ArrayList<>();

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
    private boolean copied;
    private final LoadedIndexes indexes;
    private Optional<IndexReader> index = Optional.empty();
    private boolean isIndexAsked;
    private final Map<Integer, Optional<StoredText>> texts = new HashMap<>();
    private final Map<Integer, Optional<FieldIndex>> terms = new HashMap<>();

    private InputCursor(
            LogBlock block, MergeInput input, LogBlockSchema schema, LoadedIndexes indexes, ReadMetrics metrics)
            throws IOException {
        this.indexes = indexes;
        this.block = block;
        this.metrics = metrics;
        this.deletedRows = input.deletedRows();
        for (Column column : schema.columns()) {
            values.add(block.cursor(column, metrics));
        }
        for (String name : KEYS) {
            keyValues.add(block.cursor(schema.column(name).orElseThrow(), metrics));
        }
    }

    /**
     * Opens a cursor at the first row.
     *
     * @return empty if all rows are deleted
     * @throws LogBlockException if the rows are not in time order
     */
    static Optional<InputCursor> open(
            MergeInput input, LogBlockSchema schema, LoadedIndexes indexes, ReadMetrics metrics) throws IOException {
        LogBlock block = input.opener().open(metrics);
        try {
            if (!block.isOrdered()) {
                throw new LogBlockException(block.location(), "rows are not in time order, so it cannot be merged");
            }
            InputCursor cursor = new InputCursor(block, input, schema, indexes, metrics);
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

    /** Keeps this open for its pages, but forgets its values, all of which have been read. */
    void forgetValues() {
        values.clear();
        keyValues.clear();
        rows = new int[0];
        keys = new RowKeys(new long[0], new String[0], new long[0], new long[0], new long[0]);
    }

    /** Says that pages of this will be copied. */
    void setCopied() {
        copied = true;
    }

    boolean isCopied() {
        return copied;
    }

    /** Whether all rows have been taken. */
    boolean isEnded() {
        return ended;
    }

    /** The number of its rows in the batch. */
    int takenRows() {
        return taken.size();
    }

    /** Its rows in the batch, ascending. */
    int[] taken() {
        return taken.toArray();
    }

    /** Reads the values of a column at ascending rows, which are in the batch. */
    Vector values(int column, int[] atRows) throws IOException {
        return values.get(column).read(atRows, 0, atRows.length);
    }

    /**
     * A text column as pages; empty if it is stored in another way, or in so few pages that most of its terms are rare:
     * a term would be so in each of many small inputs, and a query would read a page of each.
     */
    Optional<StoredText> storedText(Column column) throws IOException {
        Optional<StoredText> known = texts.get(column.fieldId());
        if (known == null) {
            known = block.storedText(column, metrics)
                    .filter(text -> text.pages().count() >= MIN_PAGES);
            texts.put(column.fieldId(), known);
        }
        return known;
    }

    /**
     * The terms of a text column, in memory until this is closed; empty if it has no usable index, or there are too
     * many in memory.
     */
    Optional<FieldIndex> terms(Column column) throws IOException {
        if (!isIndexAsked) {
            if (!indexes.hasRoom(block)) {
                return Optional.empty();
            }
            index = indexes.load(block, metrics);
            isIndexAsked = true;
        }
        Optional<FieldIndex> known = terms.get(column.fieldId());
        if (known == null) {
            known = index.isEmpty() ? Optional.empty() : index.get().field(column);
            terms.put(column.fieldId(), known);
        }
        return known;
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
        keys = new RowKeys(longs(0), strings(1), longs(2), longs(3), longs(4));
        return true;
    }

    private long[] longs(int key) throws IOException {
        return ((LongVector) keyValues.get(key).read(rows, 0, rows.length)).values();
    }

    /** Reads topic ids, with one object for each distinct id, because most rows share one. */
    private String[] strings(int key) throws IOException {
        StringVector vector = (StringVector) keyValues.get(key).read(rows, 0, rows.length);
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
        if (index.isPresent()) {
            indexes.forget(block);
            index = Optional.empty();
            terms.clear();
        }
        block.close();
    }
}
