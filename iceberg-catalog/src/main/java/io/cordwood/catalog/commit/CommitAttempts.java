package io.cordwood.catalog.commit;

import java.util.function.Supplier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries of a commit, one after the other until its outcome is known. Stateless, thread-safe.
 *
 * <p>A failed attempt may have been committed after all, so the next one loads the table and checks.
 */
public final class CommitAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(CommitAttempts.class);

    private CommitAttempts() {}

    /**
     * Repeats attempts until one returns.
     *
     * @param attempt throws any exception if its outcome is unknown, and a {@link TableCommitException} if it is final
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
                    "Reloading {} of tenant {} after a commit of unknown outcome: {}",
                    stream,
                    tenantId,
                    failure.toString());
            backOff.pause();
        }
    }
}
