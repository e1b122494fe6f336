package io.cordwood.query.error;

import com.google.common.base.Throwables;
import io.cordwood.catalog.delete.UnreadableDeletesException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotFoundException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Converts failures to read a missing, truncated or damaged object into exceptions with messages for users. Stateless.
 */
public final class ReadFailures {
    private static final String GONE =
            "it no longer exists. If retention or compaction removed it while the query ran, run the query again; if that fails too, the file is lost and must be restored from a copy";

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private ReadFailures() {}

    /**
     * Converts a failure into one whose message says why and what to do. A {@link QueryException} stays as it is.
     *
     * @param code the kind of failure, unless the object store does not answer: then STORE_UNAVAILABLE
     * @param what the operation that failed, with its object
     */
    public static QueryException of(QueryError code, String what, Exception failure) {
        if (failure instanceof QueryException known) {
            return known;
        }
        Throwable root = Throwables.getRootCause(failure);
        String why;
        if (isGone(failure)) {
            why = GONE;
        } else if (unreadableDeletes(failure).isPresent()) {
            why = unreadableDeletes(failure).get().getMessage();
        } else if (failure instanceof IOException && failure.getMessage() != null) {
            why = failure.getMessage();
        } else {
            why = root.toString();
        }
        return new QueryException(
                isUnavailable(failure) ? QueryError.STORE_UNAVAILABLE : code, what + ": " + why, failure);
    }

    /** Whether the store gave no answer, or one that says nothing about the object. */
    private static boolean isUnavailable(Exception failure) {
        List<Throwable> causes = Throwables.getCausalChain(failure);
        if (isGone(failure) || causes.stream().anyMatch(EOFException.class::isInstance)) {
            return false;
        }
        return causes.stream().anyMatch(cause -> switch (cause) {
            case AbortedException _, NonRetryableException _ -> false;
            case SdkClientException _ -> true;
            case AwsServiceException e -> e.statusCode() >= SERVER_ERROR || e.statusCode() == TOO_MANY_REQUESTS;
            default -> false;
        });
    }

    private static Optional<Throwable> unreadableDeletes(Exception failure) {
        return Throwables.getCausalChain(failure).stream()
                .filter(UnreadableDeletesException.class::isInstance)
                .findFirst();
    }

    private static boolean isGone(Exception failure) {
        return Throwables.getCausalChain(failure).stream()
                .anyMatch(cause -> cause instanceof NoSuchFileException
                        || cause instanceof FileNotFoundException
                        || cause instanceof NotFoundException);
    }
}
