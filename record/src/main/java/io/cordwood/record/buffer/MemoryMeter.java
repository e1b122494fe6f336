package io.cordwood.record.buffer;

/** Counts the memory of the parts of one buffer. Not thread-safe. */
public final class MemoryMeter {
    private long bytes;

    void add(long count) {
        bytes += count;
    }

    void reset() {
        bytes = 0;
    }

    long bytes() {
        return bytes;
    }
}
