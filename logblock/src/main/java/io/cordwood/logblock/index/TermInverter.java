package io.cordwood.logblock.index;

import io.cordwood.logblock.parquet.XxHash64;
import java.util.Arrays;

/**
 * Collects the terms of one column and the rows they stand in, by hashing. Rows come in ascending order. Not
 * thread-safe.
 */
final class TermInverter {
    private byte[] arena = new byte[1 << 12];
    private int arenaSize;
    private int[] starts = new int[1 << 8];
    private long[] hashes = new long[1 << 8];
    private int[] rowCounts = new int[1 << 8];
    private int[] lastRows = new int[1 << 8];
    private int[] table = new int[1 << 10];
    private int size;

    private final IntList occurrences = new IntList();
    private final IntList rows = new IntList();
    private final IntList rowEnds = new IntList();
    private int currentRow = -1;

    /** The number of the term with these bytes, a new one if it was not seen before. */
    int term(byte[] bytes, int from, int length) {
        long hash = XxHash64.hash(bytes, from, length);
        int at = slot(hash);
        while (table[at] != 0) {
            int term = table[at] - 1;
            if (hashes[term] == hash && sameBytes(term, bytes, from, length)) {
                return term;
            }
            at = (at + 1) & (table.length - 1);
        }
        if (size + 1 == starts.length) {
            grow();
            at = slot(hash);
            while (table[at] != 0) {
                at = (at + 1) & (table.length - 1);
            }
        }
        if (arena.length - arenaSize < length) {
            arena = Arrays.copyOf(arena, Math.max(arenaSize + length, arena.length + (arena.length >> 1)));
        }
        System.arraycopy(bytes, from, arena, arenaSize, length);
        arenaSize += length;
        hashes[size] = hash;
        lastRows[size] = -1;
        starts[size + 1] = arenaSize;
        table[at] = ++size;
        return size - 1;
    }

    /** Notes that the term stands in the row; more than once in a row counts once. */
    void add(int term, int row) {
        if (lastRows[term] == row) {
            return;
        }
        lastRows[term] = row;
        rowCounts[term]++;
        if (row != currentRow) {
            endRow();
            currentRow = row;
            rows.add(row);
        }
        occurrences.add(term);
    }

    private void endRow() {
        if (currentRow >= 0) {
            rowEnds.add(occurrences.size());
        }
    }

    private boolean sameBytes(int term, byte[] bytes, int from, int length) {
        return Arrays.equals(arena, starts[term], starts[term + 1], bytes, from, from + length);
    }

    private int slot(long hash) {
        return (int) (hash >>> 32) & (table.length - 1);
    }

    private void grow() {
        int capacity = 2 * starts.length;
        starts = Arrays.copyOf(starts, capacity);
        hashes = Arrays.copyOf(hashes, capacity);
        rowCounts = Arrays.copyOf(rowCounts, capacity);
        lastRows = Arrays.copyOf(lastRows, capacity);
        table = new int[2 * capacity];
        for (int term = 0; term < size; term++) {
            int at = slot(hashes[term]);
            while (table[at] != 0) {
                at = (at + 1) & (table.length - 1);
            }
            table[at] = term + 1;
        }
    }

    int termCount() {
        return size;
    }

    int rowCount(int term) {
        return rowCounts[term];
    }

    /** The low 32 bits of the term's XXH64. */
    int fingerprint(int term) {
        return (int) hashes[term];
    }

    byte[] arena() {
        return arena;
    }

    int start(int term) {
        return starts[term];
    }

    int end(int term) {
        return starts[term + 1];
    }

    /** Turns rows of terms into terms' rows: two passes over the occurrences, no comparison. */
    Postings postings() {
        endRow();
        currentRow = -1;
        int[] ends = new int[size + 1];
        for (int term = 0; term < size; term++) {
            ends[term + 1] = ends[term] + rowCounts[term];
        }
        int[] next = Arrays.copyOf(ends, size);
        int[] all = new int[occurrences.size()];
        int i = 0;
        for (int r = 0; r < rows.size(); r++) {
            int row = rows.at(r);
            for (int end = rowEnds.at(r); i < end; i++) {
                all[next[occurrences.at(i)]++] = row;
            }
        }
        return new Postings(all, ends);
    }

    /** Rows of all terms: those of term {@code t} are {@code rows[ends[t] .. ends[t + 1])}, ascending. */
    record Postings(int[] rows, int[] ends) {}
}
