package io.cordwood.hot.statistics;

import java.util.Arrays;

/**
 * A Bloom filter of 64-bit hashes. Each hash sets up to four bits of one word, so that adding and testing touch one
 * place in memory. Not thread-safe while hashes are added.
 */
final class BloomFilter {
    /** Words of the largest filter: 64 KB. */
    static final int MAX_WORDS = 8192;

    private final long[] words;

    /** @param words number of words, or the words themselves; a power of two */
    BloomFilter(long[] words) {
        if (Integer.bitCount(words.length) != 1 || words.length > MAX_WORDS) {
            throw new IllegalArgumentException(
                    "A filter has %d words, which is no power of two up to %d".formatted(words.length, MAX_WORDS));
        }
        this.words = words;
    }

    /** An empty filter of about this many words. */
    static BloomFilter of(long words) {
        return new BloomFilter(new long[(int) Math.min(MAX_WORDS, Long.highestOneBit(Math.max(1, words)))]);
    }

    void add(long hash) {
        words[place(hash)] |= bits(hash);
    }

    /** False if the hash was certainly not added. */
    boolean mayHold(long hash) {
        long bits = bits(hash);
        return (words[place(hash)] & bits) == bits;
    }

    private int place(long hash) {
        return (int) (hash >>> 32) & words.length - 1;
    }

    /** Four bits; fewer where they coincide. */
    private static long bits(long hash) {
        return 1L << hash | 1L << (hash >>> 6) | 1L << (hash >>> 12) | 1L << (hash >>> 18);
    }

    /** A copy of the same hashes. It halves the words while no more than half of the bits are set afterwards. */
    BloomFilter packed() {
        long[] packed = words.clone();
        while (packed.length > 1 && 4L * setBits(packed) <= (long) packed.length * Long.SIZE) {
            int half = packed.length / 2;
            for (int i = 0; i < half; i++) {
                packed[i] |= packed[half + i];
            }
            packed = Arrays.copyOf(packed, half);
        }
        return new BloomFilter(packed);
    }

    private static long setBits(long[] words) {
        long bits = 0;
        for (long word : words) {
            bits += Long.bitCount(word);
        }
        return bits;
    }

    /** The words of bits; not a copy. */
    long[] words() {
        return words;
    }
}
