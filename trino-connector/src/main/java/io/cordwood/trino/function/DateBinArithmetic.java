package io.cordwood.trino.function;

import io.cordwood.query.error.QueryException;
import io.cordwood.query.scan.DateBins;
import io.cordwood.trino.error.QueryErrors;

/** {@link DateBins} for functions, with failures as the engine's exceptions. Stateless. */
final class DateBinArithmetic {
    private DateBinArithmetic() {}

    static long floorMillis(long intervalMillis, long millis) {
        try {
            return DateBins.floorMillis(intervalMillis, millis);
        } catch (QueryException e) {
            throw QueryErrors.translated(e);
        }
    }

    static long floorMicros(long intervalMillis, long micros) {
        try {
            return DateBins.floorMicros(intervalMillis, micros);
        } catch (QueryException e) {
            throw QueryErrors.translated(e);
        }
    }
}
