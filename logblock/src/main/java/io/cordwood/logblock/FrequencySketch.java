package io.cordwood.logblock;

/**
 * About how often hashes came lately: a count-min sketch whose counts are halved from time to time (TinyLFU). Not
 * thread-safe.
 */
final class FrequencySketch {
    /** A counter for so many bytes of a cache: some more than it has entries. */
    static final int BYTES_EACH = 1 << 11;

    private static final int MIN_COUNTERS = 1 << 10;
    private static final int MAX_COUNTERS = 1 << 22;
    private static final int MAX_COUNT = 15;
    private static final long[] SEEDS = {
        0xc3a5c85c97cb3127L, 0xb492b66fbe98f273L, 0x9ae16a3b2f90404fL, 0xcbf29ce484222325L
    };

    private final byte[] counters;
    private int added;

    private FrequencySketch(int counters) {
        this.counters = new byte[counters];
    }

    static FrequencySketch of(long counters) {
        return new FrequencySketch(Integer.highestOneBit(Math.clamp(counters, MIN_COUNTERS, MAX_COUNTERS)));
    }

    void add(int hash) {
        for (long seed : SEEDS) {
            int at = counter(hash, seed);
            if (counters[at] < MAX_COUNT) {
                counters[at]++;
            }
        }
        if (++added == 2 * counters.length) {
            halve();
        }
    }

    private void halve() {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = (byte) (counters[i] >> 1);
        }
        added = 0;
    }

    /** At least how often it came since about so many hashes as there are counters. */
    int of(int hash) {
        int least = MAX_COUNT;
        for (long seed : SEEDS) {
            least = Math.min(least, counters[counter(hash, seed)]);
        }
        return least;
    }

    private int counter(int hash, long seed) {
        long mixed = (hash + seed) * seed;
        mixed ^= mixed >>> 32;
        return (int) mixed & (counters.length - 1);
    }
}
