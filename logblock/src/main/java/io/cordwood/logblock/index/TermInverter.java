package io.cordwood.logblock.index;

import io.cordwood.logblock.encoding.Hashing;
import io.cordwood.logblock.encoding.XxHash64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Collects the terms of one column and their rows, by hashing. Rows must be added in ascending order. Not thread-safe.
 */
final class TermInverter {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    // The fields of a term are adjacent, because a lookup of an uncached term waits for memory at each place.
    private static final int STRIDE = 5;
    private static final int HASH = 0;
    private static final int START = 1;
    private static final int ROWS = 2;
    private static final int LAST_ROW = 3;
    private static final int FINGERPRINT = 4;

    private byte[] arena = new byte[1 << 12];
    private int arenaSize;
    /** {@value #STRIDE} ints for each term, followed by the start of the next term's bytes. */
    private int[] terms = new int[STRIDE << 8];

    /** A hash table with open addressing: the number of a term plus 1; 0 marks a free slot. */
    private int[] table = new int[1 << 9];

    private int size;

    private final IntList occurrences = new IntList();
    private final IntList rows = new IntList();
    private final IntList rowEnds = new IntList();
    private int currentRow = -1;

    /** The number of the term with these bytes; a new number for a new term. */
    int term(byte[] bytes, int from, int length) {
        int hash = Hashing.hash(bytes, from, from + length);
        int at = place(hash);
        for (int found = table[at]; found != 0; found = table[at]) {
            int term = found - 1;
            if (terms[term * STRIDE + HASH] == hash && sameBytes(term, bytes, from, length)) {
                return term;
            }
            at = (at + 1) & (table.length - 1);
        }
        if (STRIDE * (size + 2) > terms.length) {
            grow();
            at = freePlace(hash);
        }
        // Space to read a word from the start of each term.
        int needed = arenaSize + length + Long.BYTES;
        if (arena.length < needed) {
            arena = Arrays.copyOf(arena, Math.max(needed, arena.length + (arena.length >> 1)));
        }
        System.arraycopy(bytes, from, arena, arenaSize, length);
        arenaSize += length;
        int term = size++;
        terms[term * STRIDE + HASH] = hash;
        terms[term * STRIDE + LAST_ROW] = -1;
        terms[term * STRIDE + FINGERPRINT] = (int) XxHash64.hash(bytes, from, length);
        terms[size * STRIDE + START] = arenaSize;
        table[at] = size;
        return term;
    }

    /** Records that the row contains the term; repetitions in a row count once. */
    void add(int term, int row) {
        int lastRow = term * STRIDE + LAST_ROW;
        if (terms[lastRow] == row) {
            return;
        }
        terms[lastRow] = row;
        terms[term * STRIDE + ROWS]++;
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
        int start = start(term);
        if (end(term) - start != length) {
            return false;
        }
        if (length < Long.BYTES && from + Long.BYTES <= bytes.length) {
            // Most terms are short. The low bytes come first; a shift by 64 bits would not shift at all.
            long difference = (long) WORD.get(arena, start) ^ (long) WORD.get(bytes, from);
            return length == 0 || difference << (Long.SIZE - Byte.SIZE * length) == 0;
        }
        return Arrays.equals(arena, start, start + length, bytes, from, from + length);
    }

    private int place(int hash) {
        return hash & (table.length - 1);
    }

    private int freePlace(int hash) {
        int at = place(hash);
        while (table[at] != 0) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private void grow() {
        terms = Arrays.copyOf(terms, 2 * terms.length);
        table = new int[2 * table.length];
        for (int term = 0; term < size; term++) {
            table[freePlace(terms[term * STRIDE + HASH])] = term + 1;
        }
    }

    int termCount() {
        return size;
    }

    int rowCount(int term) {
        return terms[term * STRIDE + ROWS];
    }

    /** The low 32 bits of the term's XXH64. */
    int fingerprint(int term) {
        return terms[term * STRIDE + FINGERPRINT];
    }

    byte[] arena() {
        return arena;
    }

    int start(int term) {
        return terms[term * STRIDE + START];
    }

    int end(int term) {
        return start(term + 1);
    }

    /** Groups the occurrences by term, in two passes and without comparisons. */
    Postings postings() {
        endRow();
        currentRow = -1;
        int[] ends = new int[size + 1];
        for (int term = 0; term < size; term++) {
            ends[term + 1] = ends[term] + rowCount(term);
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

    /** The rows of all terms: those of term {@code t} are {@code rows[ends[t] .. ends[t + 1])}, ascending. */
    record Postings(int[] rows, int[] ends) {}
}
