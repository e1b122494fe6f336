package io.cordwood.query.delete;

import io.cordwood.hot.ReadLimits;
import java.time.Duration;

/**
 * A statement that deletes rows of one tenant's table. Immutable.
 *
 * @param queryId its name in logs and in the registry of deletions
 * @param user the user that runs it
 * @param startedAt its start in milliseconds since 1970
 * @param hotReadLimits limits of reads from Kafka that check for rows of the tenant there
 * @param flushTimeout maximum time to wait until rows are flushed into LogBlocks
 */
public record DeleteStatement(
        String queryId, String user, long startedAt, ReadLimits hotReadLimits, Duration flushTimeout) {}
