package io.cordwood.trino;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How far the top n of a scan reaches at most, as far as its splits on this node have shown: a split that gave n rows
 * ends at a time, and no row on the far side of it can be among the first n. Thread-safe.
 */
final class TopNBound {
    private final boolean newest;
    private final AtomicLong bound;

    TopNBound(boolean newest) {
        this.newest = newest;
        bound = new AtomicLong(newest ? Long.MIN_VALUE : Long.MAX_VALUE);
    }

    /** A split gave n rows, and this is the time of the last of them. */
    void reached(long micros) {
        bound.accumulateAndGet(micros, newest ? Math::max : Math::min);
    }

    /** Whether none of the split's rows can be wanted. */
    boolean excludes(CordwoodColdSplit split) {
        return newest ? split.toMicros() < bound.get() : split.fromMicros() > bound.get();
    }
}
