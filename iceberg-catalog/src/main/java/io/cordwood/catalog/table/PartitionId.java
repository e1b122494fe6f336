package io.cordwood.catalog.table;

import static java.util.Objects.requireNonNull;

/**
 * The id of a Kafka partition, distinct for a recreated topic of the same name. Immutable.
 *
 * @param topicId Kafka's UUID of the topic, in Kafka's notation: a recreated topic starts its offsets at 0 again
 * @param partition number of the partition within the topic
 */
public record PartitionId(String topicId, int partition) {
    public PartitionId {
        requireNonNull(topicId, "topicId is null");
        if (topicId.isEmpty()) {
            throw new IllegalArgumentException("Topic id is empty");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("Partition %d of topic %s is negative".formatted(partition, topicId));
        }
    }

    @Override
    public String toString() {
        return topicId + "-" + partition;
    }
}
