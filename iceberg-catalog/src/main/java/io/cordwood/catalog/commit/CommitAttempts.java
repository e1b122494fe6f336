package io.cordwood.catalog.commit;

import java.util.function.Supplier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts to commit to a table, one after the other until one tells how it ended. Stateless, thread-safe.
 *
 * <p>An attempt that fails may have gone through all the same: the next one loads the table and looks.
 */
public final class CommitAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(CommitAttempts.class);

    private CommitAttempts() {}

    /**
     * Attempts until an attempt returns.
     *
     * @param attempt throws whatever leaves its end unknown; what cannot end otherwise is a {@link
     *     TableCommitException}
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public static <T> T run(String tenantId, String stream, BackOff backOff, Supplier<T> attempt)
            throws InterruptedException {
        while (true) {
            RuntimeException failure;
            try {
                return attempt.get();
            } catch (TableCommitException e) {
                throw e;
            } catch (IllegalArgumentException | ForbiddenException | NotAuthorizedException e) {
                throw new TableCommitException(tenantId, stream, e.getMessage(), e);
            } catch (RuntimeException e) {
                failure = e;
            }
            if (!backOff.mayRetry()) {
                throw new TableCommitException(
                        tenantId,
                        stream,
                        "%d attempts failed, the last with: %s".formatted(backOff.attempts(), failure.getMessage()),
                        failure);
            }
            LOG.info(
                    "Reloading {} of tenant {} after a commit of unknown end: {}",
                    stream,
                    tenantId,
                    failure.toString());
            backOff.pause();
        }
    }
}
