package io.cordwood.search.logql.metric;

/**
 * A range before each of some points in time: later than the point minus the length, up to the point. Immutable.
 *
 * @param ends the points
 * @param lengthNanos length of each range
 */
public record Windows(Steps ends, long lengthNanos) {
    /** The time behind which the first range begins. */
    public long afterNanos() {
        return ends.startNanos() - lengthNanos;
    }

    /** The end of the last range. */
    public long toNanos() {
        return ends.lastNanos();
    }

    /** The first point whose range may have a time. */
    int from(long nanos) {
        return ends.firstFrom(nanos);
    }

    /** The point behind the last one whose range has a time. */
    int to(long nanos) {
        return ends.firstFrom(nanos + lengthNanos);
    }
}
