package io.cordwood.query.search;

import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.TextSizes;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rows of one LogBlock that may be among the first ones of a scan. Not thread-safe. */
final class RowSource {
    /** Reads nothing in parts, so the size of a batch does not matter. */
    private static final int ANY_BATCH = 1;

    private final LogBlockReader reader;
    private final long bytesRead;
    private int[] rows;
    private long[] micros;
    private Optional<TextSizes> sizes = Optional.empty();

    private RowSource(LogBlockReader reader, int[] rows, long[] micros) {
        this.reader = reader;
        this.bytesRead = reader.bytesRead();
        this.rows = rows;
        this.micros = micros;
    }

    /** Reads the rows that an open LogBlock selects, and their times; empty if there are none. */
    static Optional<RowSource> of(LogBlockReader reader, Runnable betweenBatches) throws IOException {
        if (!reader.hasRows()) {
            return Optional.empty();
        }
        ColumnReader times = reader.columns(new BatchSize(ANY_BATCH)).times();
        List<int[]> batches = new ArrayList<>();
        List<long[]> batchTimes = new ArrayList<>();
        int size = 0;
        for (Optional<int[]> next = reader.nextRows(); next.isPresent(); next = reader.nextRows()) {
            int[] found = next.get();
            if (found.length > 0) {
                batches.add(found);
                batchTimes.add(((LongVector) times.read(found, 0, found.length)).values());
                size += found.length;
                reader.handedOut(found.length);
            }
            betweenBatches.run();
        }
        if (size == 0) {
            return Optional.empty();
        }
        int[] rows = new int[size];
        long[] micros = new long[size];
        // Batches may come from the end of the LogBlock, each of them in ascending order
        boolean ascending = batches.getFirst()[0] <= batches.getLast()[0];
        int at = ascending ? 0 : size;
        for (int i = 0; i < batches.size(); i++) {
            int length = batches.get(i).length;
            at -= ascending ? 0 : length;
            System.arraycopy(batches.get(i), 0, rows, at, length);
            System.arraycopy(batchTimes.get(i), 0, micros, at, length);
            at += ascending ? length : 0;
        }
        return Optional.of(new RowSource(reader, rows, micros));
    }

    /** Bytes that the search for the rows has read. */
    long bytesRead() {
        return bytesRead;
    }

    LogBlockReader reader() {
        return reader;
    }

    int size() {
        return rows.length;
    }

    long micros(int index) {
        return micros[index];
    }

    /** Drops the rows on the far side of a time. */
    void drop(long bound, boolean newest) {
        int kept = 0;
        for (int i = 0; i < rows.length; i++) {
            if (newest ? micros[i] >= bound : micros[i] <= bound) {
                rows[kept] = rows[i];
                micros[kept++] = micros[i];
            }
        }
        rows = Arrays.copyOf(rows, kept);
        micros = Arrays.copyOf(micros, kept);
    }

    /** The rows with their positions. */
    List<FoundRow> positions() throws IOException {
        ColumnReaders readers = reader.columnsOfAnyRows();
        Vector partitions = readers.column(QueryColumn.PARTITION).read(rows, 0, rows.length);
        Vector offsets = readers.column(QueryColumn.OFFSET).read(rows, 0, rows.length);
        Vector ordinals = readers.column(QueryColumn.ORDINAL).read(rows, 0, rows.length);
        int[] topics = hashes(readers.column(QueryColumn.TOPIC_ID).read(rows, 0, rows.length));
        List<FoundRow> found = new ArrayList<>(rows.length);
        for (int i = 0; i < rows.length; i++) {
            RowPosition position = new RowPosition(
                    micros[i], number(partitions, i), number(offsets, i), number(ordinals, i), topics[i]);
            found.add(new FoundRow(position, this, rows[i]));
        }
        return found;
    }

    private static long number(Vector vector, int position) {
        return vector.isNull(position) ? -1 : ((LongVector) vector).values()[position];
    }

    /** A hash of each text, 0 for none. Most rows have the text of the row before. */
    static int[] hashes(Vector vector) {
        int[] hashes = new int[vector.length()];
        int last = -1;
        int hash = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (!vector.isNull(i)) {
                StringVector texts = (StringVector) vector;
                int slot = texts.slot(i);
                if (last < 0 || !isSame(texts, last, slot)) {
                    hash = texts.slotString(slot).hashCode() & 0xFFFF;
                }
                last = slot;
                hashes[i] = hash;
            }
        }
        return hashes;
    }

    private static boolean isSame(StringVector texts, int slot, int other) {
        int[] offsets = texts.offsets();
        return slot == other
                || Arrays.equals(
                        texts.bytes(),
                        offsets[slot],
                        offsets[slot + 1],
                        texts.bytes(),
                        offsets[other],
                        offsets[other + 1]);
    }

    /** The approximate bytes of columns' text in one row; the columns of an answer are always the same. */
    long estimatedBytes(List<QueryColumn> columns, int row) {
        try {
            if (sizes.isEmpty()) {
                sizes = Optional.of(reader.textSizes(columns));
            }
            return sizes.get().bytes(row);
        } catch (IOException | RuntimeException e) {
            throw reader.failure(e);
        }
    }

    /** Reads columns of some of the rows, which are ascending. */
    List<Vector> read(List<QueryColumn> columns, int[] some) throws IOException {
        ColumnReaders readers = reader.columnsOfAnyRows();
        List<Vector> vectors = new ArrayList<>(columns.size());
        for (QueryColumn column : columns) {
            vectors.add(readers.column(column).read(some, 0, some.length));
        }
        return vectors;
    }
}
