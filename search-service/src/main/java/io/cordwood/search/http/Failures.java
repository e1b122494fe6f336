package io.cordwood.search.http;

import io.cordwood.catalog.access.NotAuthenticatedException;
import io.cordwood.catalog.access.RulesUnavailableException;
import io.cordwood.http.ForeignSiteException;
import io.cordwood.http.RefusedBodyException;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.search.GivenUpException;
import io.cordwood.query.search.LimitExceededException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts failures to errors for clients. Stateless. */
public final class Failures {
    /** For logs and metrics: nobody reads the answer. */
    public static final int CLIENT_LEFT = 499;

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int UNPROCESSABLE = 422;
    private static final String LIMIT_EXCEEDED = "limit_exceeded";

    private Failures() {}

    /** The error of a failure. The log has what clients must not know. */
    public static ApiException of(Throwable failure) {
        return switch (failure) {
            case ApiException known -> known;
            case ForeignSiteException e -> new ApiException(e.status(), e.code(), e.getMessage());
            case NotAuthenticatedException e -> new ApiException(401, "unauthenticated", e.getMessage());
            case RulesUnavailableException e -> new ApiException(503, "unavailable", e.getMessage());
            case RefusedBodyException e -> new ApiException(e.status(), "body_refused", e.getMessage());
            case LimitExceededException e -> new ApiException(status(e), LIMIT_EXCEEDED, message(e));
            case GivenUpException e -> new ApiException(CLIENT_LEFT, "client_left", e.getMessage());
            case QueryException e -> ofQuery(e);
            default -> {
                LOG.error("A request failed", failure);
                yield new ApiException(500, "internal", "The service failed to answer; its log says why");
            }
        };
    }

    private static int status(LimitExceededException e) {
        return e.limit() == LimitExceededException.Limit.TIME ? 408 : UNPROCESSABLE;
    }

    private static String message(LimitExceededException e) {
        return e.getMessage() + ": ask for less time, or ask Trino by SQL";
    }

    /** The error of a question that exceeds a limit, with SQL that asks Trino the same. */
    public static ApiException beyondLimit(LimitExceededException e, String sql) {
        return ApiException.beyondLimit(status(e), message(e), sql, e);
    }

    private static ApiException ofQuery(QueryException e) {
        return switch (e.error()) {
            case CATALOG_ERROR -> unavailable("The catalog service", e);
            case KAFKA_UNAVAILABLE, KAFKA_ERROR, FLUSH_TIMEOUT, TABLE_CHANGED -> unavailable("Kafka", e);
            case STORE_UNAVAILABLE -> unavailable("The object store", e);
            case HOT_TIER_TOO_LARGE ->
                new ApiException(
                        UNPROCESSABLE,
                        LIMIT_EXCEEDED,
                        "The question reads more from Kafka than it may: ask again when more rows are in LogBlocks");
            case INVALID_TIME_BIN, INVALID_COLUMN, OUT_OF_RANGE -> ApiException.invalid(e.getMessage());
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

    /** The message of the failure may tell of brokers and partitions, which all tenants share. */
    private static ApiException unavailable(String part, QueryException e) {
        LOG.warn("A question failed", e);
        return new ApiException(503, "unavailable", part + " does not answer as it should: try again");
    }
}
