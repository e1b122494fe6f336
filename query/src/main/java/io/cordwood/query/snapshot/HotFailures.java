package io.cordwood.query.snapshot;

import io.cordwood.hot.HotTierException;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import java.util.function.Supplier;

/** Converts failures to read the hot tier into errors for users. Stateless. */
public final class HotFailures {
    private HotFailures() {}

    /** Calls the hot tier, and converts its failures into query failures. */
    public static <T> T translated(Supplier<T> call) {
        try {
            return call.get();
        } catch (HotTierException e) {
            throw of(e);
        }
    }

    private static QueryException of(HotTierException failure) {
        return switch (failure.kind()) {
            case UNAVAILABLE ->
                new QueryException(
                        QueryError.KAFKA_ERROR,
                        failure.getMessage()
                                + ". Until Kafka answers again, SET SESSION cordwood.hot_tail = 'off' shows the archived rows",
                        failure);
            case GONE -> new QueryException(QueryError.KAFKA_ERROR, failure.getMessage(), failure);
            case TOO_LARGE ->
                new QueryException(
                        QueryError.HOT_TIER_TOO_LARGE,
                        failure.getMessage()
                                + ": raise the session property hot_max_size, or check why the ingest job lags (bin/cordwood status); SET SESSION cordwood.hot_tail = 'off' shows the archived rows",
                        failure);
        };
    }
}
