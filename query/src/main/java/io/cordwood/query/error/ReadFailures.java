package io.cordwood.query.error;

import com.google.common.base.Throwables;
import io.cordwood.catalog.delete.UnreadableDeletesException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * Converts failures to read a missing, truncated or damaged object into exceptions with messages for users. Stateless.
 */
public final class ReadFailures {
    private static final String GONE =
            "it no longer exists. If retention or compaction removed it while the query ran, run the query again; if that fails too, the file is lost and must be restored from a copy";

    private ReadFailures() {}

    /**
     * Converts a failure into one whose message says why and what to do. A {@link QueryException} stays as it is.
     *
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
        return new QueryException(code, what + ": " + why, failure);
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
