package io.cordwood.query.snapshot;

import io.cordwood.hot.HotTierException;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.record.token.TokenRulesException;
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
        } catch (TokenRulesException e) {
            throw new QueryException(QueryError.CATALOG_ERROR, "Cannot check records in Kafka: " + e.getMessage(), e);
        }
    }

    private static QueryException of(HotTierException failure) {
        QueryError error = switch (failure.kind()) {
            case UNAVAILABLE -> QueryError.KAFKA_UNAVAILABLE;
            case GONE -> QueryError.KAFKA_ERROR;
            case TOO_LARGE -> QueryError.HOT_TIER_TOO_LARGE;
        };
        return new QueryException(error, failure.getMessage(), failure);
    }
}
