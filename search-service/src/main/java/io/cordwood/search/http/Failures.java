package io.cordwood.search.http;

import io.cordwood.http.RefusedBodyException;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.search.LimitExceededException;
import io.cordwood.search.access.NotAuthenticatedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts failures to errors for clients. Stateless. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int UNPROCESSABLE = 422;

    private Failures() {}

    /** The error of a failure. The log has what clients must not know. */
    public static ApiException of(RuntimeException failure) {
        return switch (failure) {
            case ApiException known -> known;
            case NotAuthenticatedException e -> new ApiException(401, "unauthenticated", e.getMessage());
            case RefusedBodyException e -> new ApiException(e.status(), "body_refused", e.getMessage());
            case LimitExceededException e ->
                new ApiException(
                        e.limit() == LimitExceededException.Limit.TIME ? 408 : UNPROCESSABLE,
                        "limit_exceeded",
                        e.getMessage() + ": ask for less time, or ask Trino by SQL");
            case QueryException e -> ofQuery(e);
            default -> {
                LOG.error("A request failed", failure);
                yield new ApiException(500, "internal", "The service failed to answer; its log says why");
            }
        };
    }

    private static ApiException ofQuery(QueryException e) {
        return switch (e.error()) {
            case CATALOG_ERROR, KAFKA_UNAVAILABLE, KAFKA_ERROR, FLUSH_TIMEOUT, TABLE_CHANGED ->
                new ApiException(503, "unavailable", e.getMessage());
            case HOT_TIER_TOO_LARGE -> new ApiException(UNPROCESSABLE, "limit_exceeded", e.getMessage());
            case INVALID_TIME_BIN, OUT_OF_RANGE -> ApiException.invalid(e.getMessage());
            case UNSUPPORTED_TABLE -> new ApiException(UNPROCESSABLE, "unsupported_table", e.getMessage());
            case INVALID_METADATA,
                    CANNOT_OPEN_LOGBLOCK,
                    CURSOR_ERROR,
                    INTERNAL_ERROR,
                    OUTCOME_UNKNOWN,
                    INVALID_CONFIGURATION -> {
                LOG.error("A question failed", e);
                yield new ApiException(500, "internal", e.getMessage());
            }
        };
    }
}
