package io.cordwood.query.search;

import io.cordwood.logblock.vector.StringVector;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/**
 * Counts of rows by the ids of one dictionary, so that each value becomes a string once. Vectors of a LogBlock share a
 * dictionary as long as they come from one part of its column. Not thread-safe.
 */
final class IdCounts {
    private static final int FIRST_IDS = 16;

    private final StringVector dictionary;
    private final int[] rows;
    /** The ids with rows, in the order of their first rows. */
    private int[] ids = new int[FIRST_IDS];

    private int size;

    /** @param dictionary any vector with the dictionary */
    IdCounts(StringVector dictionary) {
        this.dictionary = dictionary;
        rows = new int[dictionary.offsets().length - 1];
    }

    /** Whether the vector has this dictionary. */
    boolean isOf(StringVector vector) {
        return vector.offsets() == dictionary.offsets() && vector.bytes() == dictionary.bytes();
    }

    /** Counts the values at the positions {@code [from, to)}, and returns how many of them are null. */
    int add(StringVector vector, int from, int to) {
        int nulls = 0;
        for (int i = from; i < to; i++) {
            if (vector.isNull(i)) {
                nulls++;
                continue;
            }
            int id = vector.ids()[i];
            if (rows[id]++ == 0) {
                if (size == ids.length) {
                    ids = Arrays.copyOf(ids, 2 * size);
                }
                ids[size++] = id;
            }
        }
        return nulls;
    }

    /** Passes on each value with its number of rows. */
    void forEach(ObjIntConsumer<String> consumer) {
        for (int i = 0; i < size; i++) {
            consumer.accept(dictionary.slotString(ids[i]), rows[ids[i]]);
        }
    }
}
