package io.cordwood.trino.error;

import static io.trino.spi.StandardErrorCode.INVALID_CATALOG_PROPERTY;
import static io.trino.spi.StandardErrorCode.INVALID_COLUMN_REFERENCE;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;

import com.google.common.collect.AbstractIterator;
import com.google.common.reflect.Reflection;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import java.lang.reflect.InvocationTargetException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Translates failures of the query module into the engine's exceptions, and adds advice in terms of SQL and of the
 * connector's properties. Stateless.
 */
public final class QueryErrors {
    private QueryErrors() {}

    /** Translates a failure. */
    public static TrinoException translated(QueryException failure) {
        return new TrinoException(code(failure.error()), failure.getMessage() + advice(failure.error()), failure);
    }

    /** Advice to append to a message; empty if the message says enough. */
    private static String advice(QueryError error) {
        return switch (error) {
            case CATALOG_ERROR -> " The catalog property cordwood.catalog-uri has its address.";
            case KAFKA_UNAVAILABLE ->
                ". Until Kafka answers again, SET SESSION cordwood.hot_tail = 'off' shows the archived rows";
            case HOT_TIER_TOO_LARGE ->
                ": an operator can raise the session property hot_max_size, or check why the ingest job lags (bin/cordwood status); SET SESSION cordwood.hot_tail = 'off' shows the archived rows";
            case FLUSH_TIMEOUT ->
                ". Check with 'bin/cordwood status' whether it runs, and run the DELETE again, or have an operator raise the session property delete_flush_timeout";
            case OUTCOME_UNKNOWN -> ": cordwood.system.deletions shows later whether it was committed";
            case INVALID_TIME_BIN -> "; an example is date_bin(INTERVAL '1' MINUTE, ts)";
            case INVALID_METADATA,
                    CANNOT_OPEN_LOGBLOCK,
                    CURSOR_ERROR,
                    STORE_UNAVAILABLE,
                    UNSUPPORTED_TABLE,
                    INTERNAL_ERROR,
                    KAFKA_ERROR,
                    TABLE_CHANGED,
                    INVALID_COLUMN,
                    OUT_OF_RANGE,
                    INVALID_CONFIGURATION -> "";
        };
    }

    private static ErrorCodeSupplier code(QueryError error) {
        return switch (error) {
            case CATALOG_ERROR -> CordwoodErrorCode.CORDWOOD_CATALOG_ERROR;
            case INVALID_METADATA -> CordwoodErrorCode.CORDWOOD_INVALID_METADATA;
            case CANNOT_OPEN_LOGBLOCK -> CordwoodErrorCode.CORDWOOD_CANNOT_OPEN_LOGBLOCK;
            case CURSOR_ERROR -> CordwoodErrorCode.CORDWOOD_CURSOR_ERROR;
            case STORE_UNAVAILABLE -> CordwoodErrorCode.CORDWOOD_STORE_UNAVAILABLE;
            case UNSUPPORTED_TABLE -> CordwoodErrorCode.CORDWOOD_UNSUPPORTED_TABLE;
            case INTERNAL_ERROR -> CordwoodErrorCode.CORDWOOD_INTERNAL_ERROR;
            case KAFKA_ERROR -> CordwoodErrorCode.CORDWOOD_KAFKA_ERROR;
            case HOT_TIER_TOO_LARGE -> CordwoodErrorCode.CORDWOOD_HOT_TIER_TOO_LARGE;
            case KAFKA_UNAVAILABLE -> CordwoodErrorCode.CORDWOOD_KAFKA_UNAVAILABLE;
            case FLUSH_TIMEOUT -> CordwoodErrorCode.CORDWOOD_FLUSH_TIMEOUT;
            case OUTCOME_UNKNOWN -> CordwoodErrorCode.CORDWOOD_OUTCOME_UNKNOWN;
            case TABLE_CHANGED -> CordwoodErrorCode.CORDWOOD_TABLE_CHANGED;
            case INVALID_TIME_BIN -> INVALID_FUNCTION_ARGUMENT;
            case INVALID_COLUMN -> INVALID_COLUMN_REFERENCE;
            case OUT_OF_RANGE -> NUMERIC_VALUE_OUT_OF_RANGE;
            case INVALID_CONFIGURATION -> INVALID_CATALOG_PROPERTY;
        };
    }

    /** Calls the query module, and translates its failures. */
    public static <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (QueryException e) {
            throw translated(e);
        }
    }

    /** A future with the same result; it fails with the translated failure. */
    public static <T> CompletableFuture<T> translating(CompletableFuture<T> future) {
        return future.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return CompletableFuture.failedFuture(cause instanceof QueryException query ? translated(query) : cause);
        });
    }

    /** Wraps an iterable; translates failures to find the next element. */
    public static <T> Iterable<T> translating(Iterable<T> elements) {
        return () -> {
            Iterator<T> iterator = call(elements::iterator);
            return new AbstractIterator<>() {
                @Override
                protected T computeNext() {
                    return call(() -> iterator.hasNext() ? iterator.next() : endOfData());
                }
            };
        };
    }

    /** Wraps an object; translates query failures of each of its methods. */
    public static <T> T translating(Class<T> type, T delegate) {
        return Reflection.newProxy(type, (proxy, method, arguments) -> {
            try {
                return method.invoke(delegate, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof QueryException failure ? translated(failure) : e.getCause();
            }
        });
    }
}
