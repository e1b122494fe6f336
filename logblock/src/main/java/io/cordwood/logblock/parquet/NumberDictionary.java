package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.vector.NullMask;
import java.util.Arrays;
import java.util.Optional;

/** A dictionary of 64-bit values in order of first appearance. Not thread-safe. */
final class NumberDictionary {
    private static final int MAX_SIZE = 1 << 15;
    private static final int SAMPLE = 1024;

    private int[] ids;
    private long[] values = new long[256];
    private int[] table = new int[1024];
    private int size;

    private NumberDictionary(int length) {
        // For most columns, a sample shows that a dictionary does not pay off.
        this.ids = new int[Math.min(length, SAMPLE)];
    }

    /** Builds a dictionary of the values; empty if too many values differ for it to pay off. */
    static Optional<NumberDictionary> build(long[] values, NullMask nulls, int length) {
        NumberDictionary dictionary = new NumberDictionary(length);
        int seen = 0;
        for (int i = 0; i < length; i++) {
            if (i == SAMPLE) {
                dictionary.ids = Arrays.copyOf(dictionary.ids, length);
            }
            if (nulls.isNull(i)) {
                continue;
            }
            dictionary.ids[i] = dictionary.id(values[i]);
            seen++;
            if (dictionary.size > MAX_SIZE || seen == SAMPLE && dictionary.size > SAMPLE * 9 / 10) {
                return Optional.empty();
            }
        }
        return seen > 0 && dictionary.size <= seen / 4 + 1 ? Optional.of(dictionary) : Optional.empty();
    }

    private int id(long value) {
        int slot = slot(value);
        while (table[slot] != 0) {
            int id = table[slot] - 1;
            if (values[id] == value) {
                return id;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            rehash();
            slot = slot(value);
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
        }
        values[size] = value;
        table[slot] = ++size;
        return size - 1;
    }

    private void rehash() {
        table = new int[4 * values.length];
        for (int id = 0; id < size; id++) {
            int slot = slot(values[id]);
            while (table[slot] != 0) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = id + 1;
        }
    }

    private int slot(long value) {
        return (int) (value * 0x9E3779B97F4A7C15L >>> 32) & (table.length - 1);
    }

    int size() {
        return size;
    }

    byte[] plain() {
        ByteSink out = new ByteSink(Long.BYTES * size);
        for (int id = 0; id < size; id++) {
            out.writeLong(values[id]);
        }
        return out.toByteArray();
    }

    void encode(int from, int to, NullMask nulls, ByteSink out) {
        DictionaryIds.encode(ids, size, from, to, nulls, out);
    }
}
