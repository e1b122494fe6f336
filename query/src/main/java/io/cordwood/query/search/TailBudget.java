package io.cordwood.query.search;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of rows that wait in all tails together. Thread-safe. */
final class TailBudget {
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    TailBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes bytes; false if there are too few left. */
    boolean take(long more) {
        if (bytes.addAndGet(more) > maxBytes) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void giveBack(long taken) {
        bytes.addAndGet(-taken);
    }
}
