package io.cordwood.search.logql.metric;

/**
 * The points in time of a result. Immutable.
 *
 * @param startNanos the first one, in nanoseconds since the epoch
 * @param stepNanos distance between two of them
 * @param count number of points
 */
public record Steps(long startNanos, long stepNanos, int count) {
    public Steps {
        if (stepNanos <= 0 || count <= 0) {
            throw new IllegalArgumentException("There must be a point, and steps forward");
        }
    }

    /** One point. */
    public static Steps at(long nanos) {
        return new Steps(nanos, 1, 1);
    }

    /** The time of a point. */
    public long nanos(int index) {
        return startNanos + index * stepNanos;
    }

    long lastNanos() {
        return nanos(count - 1);
    }

    /** The same points, earlier. */
    Steps before(long offsetNanos) {
        return new Steps(startNanos - offsetNanos, stepNanos, count);
    }

    /** The first point at or after a time. */
    int firstFrom(long nanos) {
        return Math.clamp(Math.ceilDiv(nanos - startNanos, stepNanos), 0, count);
    }
}
