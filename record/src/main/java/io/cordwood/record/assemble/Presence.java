package io.cordwood.record.assemble;

import io.cordwood.logblock.vector.NullMask;

/** The positions of a column that have a value. Not thread-safe. */
final class Presence {
    private final long[] words;
    private final int length;
    private int count;

    Presence(int length) {
        this.words = new long[(length + 63) >>> 6];
        this.length = length;
    }

    void set(int position) {
        long bit = 1L << position;
        count += (words[position >>> 6] & bit) == 0 ? 1 : 0;
        words[position >>> 6] |= bit;
    }

    NullMask toNulls() {
        if (count == length) {
            return NullMask.none();
        }
        if (count == 0) {
            return NullMask.all(length);
        }
        NullMask nulls = new NullMask(length);
        for (int i = 0; i < length; i++) {
            if ((words[i >>> 6] & (1L << i)) == 0) {
                nulls.set(i);
            }
        }
        return nulls;
    }
}
