package io.cordwood.ingest.source;

import io.cordwood.ingest.IngestException;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where reading a partition starts: never above a row that is in no table. Stateless.
 *
 * <p>All rows below W are in tables, so reading may start at W, wherever the checkpoint stood. Below the start of the
 * log nothing can be read: if that is above W and above the checkpoint, rows are lost, which only an operator may
 * accept.
 */
final class StartPositions {
    private static final Logger LOG = LoggerFactory.getLogger(StartPositions.class);

    private StartPositions() {}

    /**
     * The offset to start at.
     *
     * @param checkpointed position in the checkpoint that the job was started from, under the topic's present id
     * @param archivedThrough W
     * @param logStart first offset that the log still holds
     * @param acceptLoss whether the operator gives up rows that Kafka no longer holds
     * @throws IngestException if rows are lost, or might be, and the operator did not accept it
     */
    static long resolve(
            LogPartition partition,
            OptionalLong checkpointed,
            OptionalLong archivedThrough,
            long logStart,
            boolean acceptLoss) {
        if (checkpointed.isEmpty() && archivedThrough.isEmpty() && logStart > 0) {
            return lost(
                    partition,
                    logStart,
                    acceptLoss,
                    "Partition %s was never archived and its log starts at offset %d: rows below may be lost"
                            .formatted(partition, logStart));
        }
        long needed = Math.max(checkpointed.orElse(0), archivedThrough.orElse(0));
        if (logStart > needed) {
            return lost(
                    partition,
                    logStart,
                    acceptLoss,
                    "Partition %s: Kafka deleted offsets [%d, %d) before they were archived"
                            .formatted(partition, needed, logStart));
        }
        return needed;
    }

    private static long lost(LogPartition partition, long logStart, boolean acceptLoss, String problem) {
        if (!acceptLoss) {
            throw new IngestException(problem + "; to go on without them, start once with --accept-loss true");
        }
        LOG.error("{}; accepted by --accept-loss, reading {} from {}", problem, partition, logStart);
        return logStart;
    }
}
