package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;

/**
 * A stream's topic and its logs as they are now. Immutable.
 *
 * @param topicId Kafka's UUID of the topic
 * @param problem what of the topic's settings loses rows, as the job would refuse them at its start
 * @param retentionBytes how many bytes Kafka keeps of each partition; negative if as many as there are
 * @param partitions by number
 */
public record TopicState(
        String topicId, Optional<String> problem, long retentionBytes, Map<Integer, PartitionLook> partitions) {
    public TopicState {
        requireNonNull(topicId, "topicId is null");
        requireNonNull(problem, "problem is null");
        partitions = Map.copyOf(partitions);
    }

    /**
     * The log of one partition.
     *
     * @param start the first offset that Kafka still holds
     * @param stableEnd the last stable offset: below it lie no records of open transactions
     * @param end behind the last record
     * @param bytes size of the log; 0 if nobody needs to know, as Kafka keeps every byte
     */
    public record PartitionLook(long start, long stableEnd, long end, long bytes) {
        /** About how many bytes the records from this offset on take. */
        public long bytesFrom(long offset) {
            long first = Math.max(offset, start);
            return first >= end ? 0 : (long) ((double) bytes * (end - first) / (end - start));
        }
    }
}
