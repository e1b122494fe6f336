package io.cordwood.logblock.vector;

/**
 * An approximate counter of recent hashes: a count-min sketch whose counts are halved periodically (TinyLFU). Not
 * thread-safe.
 */
final class FrequencySketch {
    /** The bytes of a cache for each counter, so that there are somewhat more counters than entries. */
    static final int BYTES_EACH = 1 << 11;

    private static final int MIN_COUNTERS = 1 << 10;
    private static final int MAX_COUNTERS = 1 << 22;
    private static final int MAX_COUNT = 15;
    private static final int PROBES = 4;

    private final byte[] counters;
    private int added;

    private FrequencySketch(int counters) {
        this.counters = new byte[counters];
    }

    static FrequencySketch of(long counters) {
        return new FrequencySketch(Integer.highestOneBit(Math.clamp(counters, MIN_COUNTERS, MAX_COUNTERS)));
    }

    /** Spreads a number over all 64 bits. */
    static long mix(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    int size() {
        return counters.length;
    }

    /** Increments only the lowest counters of a hash: the others are too high already, because of other hashes. */
    void add(long hash) {
        int count = count(hash);
        for (int probe = 0; probe < PROBES && count < MAX_COUNT; probe++) {
            int at = counter(hash, probe);
            if (counters[at] == count) {
                counters[at]++;
            }
        }
        if (++added == counters.length) {
            halve();
        }
    }

    private void halve() {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = (byte) (counters[i] >> 1);
        }
        added = 0;
    }

    /**
     * An upper estimate of a hash's count, up to 15. Counts are halved after as many additions as there are counters.
     */
    int count(long hash) {
        int least = MAX_COUNT;
        for (int probe = 0; probe < PROBES; probe++) {
            least = Math.min(least, counters[counter(hash, probe)]);
        }
        return least;
    }

    private int counter(long hash, int probe) {
        return (int) mix(hash + probe) & (counters.length - 1);
    }
}
