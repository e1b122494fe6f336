package io.cordwood.query.delete;

import io.cordwood.hot.ReadLimits;
import java.time.Duration;

/**
 * A statement that deletes rows of one tenant's table. Immutable.
 *
 * @param queryId names it in logs and in the registry of deletions
 * @param user who runs it
 * @param startedAt when it began, in milliseconds since 1970
 * @param hotReadLimits how much may be read from Kafka to see whether rows of the tenant wait there
 * @param flushTimeout how long to wait for rows to be flushed into LogBlocks
 */
public record DeleteStatement(
        String queryId, String user, long startedAt, ReadLimits hotReadLimits, Duration flushTimeout) {}
