package io.cordwood.query.scan;

import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;

/**
 * Arithmetic of time bins of a fixed length: they count from the epoch, and times before the epoch round down too.
 * Stateless.
 */
public final class DateBins {
    private DateBins() {}

    public static long floorMillis(long intervalMillis, long millis) {
        checkInterval(intervalMillis);
        return floor(intervalMillis, millis);
    }

    public static long floorMicros(long intervalMillis, long micros) {
        checkInterval(intervalMillis);
        long intervalMicros;
        try {
            intervalMicros = Math.multiplyExact(intervalMillis, 1000);
        } catch (ArithmeticException e) {
            throw new QueryException(
                    QueryError.INVALID_TIME_BIN,
                    "The interval of a time bin is too long: it must be below 292,000 years",
                    e);
        }
        return floor(intervalMicros, micros);
    }

    private static long floor(long interval, long time) {
        try {
            return Math.subtractExact(time, Math.floorMod(time, interval));
        } catch (ArithmeticException e) {
            throw new QueryException(QueryError.OUT_OF_RANGE, "A time bin begins before the first time", e);
        }
    }

    private static void checkInterval(long millis) {
        if (millis <= 0) {
            throw new QueryException(
                    QueryError.INVALID_TIME_BIN, "The interval of a time bin must be longer than zero");
        }
    }
}
