package io.cordwood.logblock.vector;

import java.util.Arrays;

/** The null positions of a vector. Not thread-safe while it is filled; safe to share afterwards. */
public final class NullMask {
    private static final NullMask NONE = new NullMask(0);

    private final long[] words;
    private int count;

    /** Creates a mask for {@code length} positions, none of them null yet. */
    public NullMask(int length) {
        this.words = new long[(length + 63) >>> 6];
    }

    /** The shared mask of vectors without nulls. */
    public static NullMask none() {
        return NONE;
    }

    /** A mask whose {@code length} positions are all null. */
    public static NullMask all(int length) {
        NullMask mask = new NullMask(length);
        Arrays.fill(mask.words, -1L);
        if ((length & 63) != 0) {
            mask.words[mask.words.length - 1] = (1L << length) - 1;
        }
        mask.count = length;
        return mask;
    }

    public void set(int position) {
        long bit = 1L << position;
        if ((words[position >>> 6] & bit) == 0) {
            words[position >>> 6] |= bit;
            count++;
        }
    }

    public boolean isNull(int position) {
        return count != 0 && (words[position >>> 6] & (1L << position)) != 0;
    }

    /** The number of null positions. */
    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }
}
