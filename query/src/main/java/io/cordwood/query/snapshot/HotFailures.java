package io.cordwood.query.snapshot;

import io.cordwood.hot.HotTierException;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import java.util.function.Supplier;

/** What users are told when the tail cannot be read. Stateless. */
public final class HotFailures {
    private HotFailures() {}

    /** Calls the hot tier, and turns its failures into those of a query. */
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
                                + ". Until Kafka answers again, SET SESSION cordwood.hot_tail = 'off' shows the rows that are archived",
                        failure);
            case GONE -> new QueryException(QueryError.KAFKA_ERROR, failure.getMessage(), failure);
            case TOO_LARGE ->
                new QueryException(
                        QueryError.HOT_TAIL_TOO_LARGE,
                        failure.getMessage()
                                + ": raise the session property hot_max_size, or see why the ingest job is behind (bin/cordwood status); SET SESSION cordwood.hot_tail = 'off' shows the rows that are archived",
                        failure);
        };
    }
}
