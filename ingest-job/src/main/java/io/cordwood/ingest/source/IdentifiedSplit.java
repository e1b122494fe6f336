package io.cordwood.ingest.source;

import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A split that remembers under which topic id its offset was reached. Immutable. */
final class IdentifiedSplit extends KafkaPartitionSplit {
    private final String topicId;

    IdentifiedSplit(KafkaPartitionSplit split, String topicId) {
        super(
                split.getTopicPartition(),
                split.getStartingOffset(),
                split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
        this.topicId = topicId;
    }

    String topicId() {
        return topicId;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdentifiedSplit that && super.equals(that) && that.topicId.equals(topicId);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
