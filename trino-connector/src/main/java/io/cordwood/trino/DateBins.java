package io.cordwood.trino;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;

import io.trino.spi.TrinoException;

/** Arithmetic of {@code date_bin}: bins count from the epoch, and times before it round down too. Stateless. */
final class DateBins {
    private DateBins() {}

    static long floorMillis(long intervalMillis, long millis) {
        checkInterval(intervalMillis);
        return floor(intervalMillis, millis);
    }

    static long floorMicros(long intervalMillis, long micros) {
        checkInterval(intervalMillis);
        long intervalMicros;
        try {
            intervalMicros = Math.multiplyExact(intervalMillis, 1000);
        } catch (ArithmeticException e) {
            throw new TrinoException(
                    INVALID_FUNCTION_ARGUMENT, "date_bin: the interval is too long; use one below 292,000 years", e);
        }
        return floor(intervalMicros, micros);
    }

    private static long floor(long interval, long time) {
        try {
            return Math.subtractExact(time, Math.floorMod(time, interval));
        } catch (ArithmeticException e) {
            throw new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, "date_bin: the bin begins before the first time", e);
        }
    }

    private static void checkInterval(long millis) {
        if (millis <= 0) {
            throw new TrinoException(
                    INVALID_FUNCTION_ARGUMENT,
                    "date_bin: the interval must be longer than zero, as in date_bin(INTERVAL '1' MINUTE, ts)");
        }
    }
}
