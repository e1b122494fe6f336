package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;

/**
 * The current state of a stream's topic and its logs. Immutable.
 *
 * @param topicId Kafka's UUID of the topic
 * @param problem the setting of the topic that loses rows, in the words in which the job refuses it at its start
 * @param retentionBytes bytes that Kafka keeps of each partition; negative without a limit
 * @param partitions the partitions' logs by number
 */
public record TopicState(
        String topicId, Optional<String> problem, long retentionBytes, Map<Integer, PartitionLog> partitions) {
    public TopicState {
        requireNonNull(topicId, "topicId is null");
        requireNonNull(problem, "problem is null");
        partitions = Map.copyOf(partitions);
    }

    /**
     * The log of one partition.
     *
     * @param start the first offset that Kafka still holds
     * @param stableEnd the last stable offset: no records of open transactions lie below it
     * @param end offset after the last record
     * @param bytes size of the log; 0 if it is not needed because Kafka keeps every byte
     */
    public record PartitionLog(long start, long stableEnd, long end, long bytes) {
        /** Approximate bytes of the records from this offset on. */
        public long bytesFrom(long offset) {
            long first = Math.max(offset, start);
            return first >= end ? 0 : (long) ((double) bytes * (end - first) / (end - start));
        }
    }
}
