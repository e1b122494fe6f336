package io.cordwood.search.loki;

import io.cordwood.logblock.schema.TimeRange;

/** Converts Loki's nanoseconds to the microseconds of tables. Stateless. */
final class LokiTimes {
    private static final long NANOS_PER_MICRO = 1000;

    private LokiTimes() {}

    /** A time of a row in nanoseconds; the first or last one that there is, if they cannot express it. */
    static long nanos(long micros) {
        return Math.clamp(micros, Long.MIN_VALUE / NANOS_PER_MICRO, Long.MAX_VALUE / NANOS_PER_MICRO) * NANOS_PER_MICRO;
    }

    /** The times of rows from the start, included, to the end, excluded. */
    static TimeRange within(LokiParameters.Bounds bounds) {
        return new TimeRange(
                Math.ceilDiv(bounds.start(), NANOS_PER_MICRO), Math.ceilDiv(bounds.end(), NANOS_PER_MICRO) - 1);
    }

    /** The times of rows after one time, up to another one. */
    static TimeRange after(long startNanos, long endNanos) {
        return new TimeRange(Math.floorDiv(startNanos, NANOS_PER_MICRO) + 1, Math.floorDiv(endNanos, NANOS_PER_MICRO));
    }
}
