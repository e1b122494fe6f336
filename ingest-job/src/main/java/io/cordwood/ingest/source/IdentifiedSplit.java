package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A split with the id of the topic that its offset belongs to. Immutable. */
final class IdentifiedSplit extends KafkaPartitionSplit {
    private final String topicId;
    private final Position read;

    /** @param read end of the records that were read below the split's offset */
    IdentifiedSplit(KafkaPartitionSplit split, String topicId, Position read) {
        super(
                split.getTopicPartition(),
                split.getStartingOffset(),
                split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
        this.topicId = topicId;
        this.read = read;
    }

    String topicId() {
        return topicId;
    }

    Position read() {
        return read;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdentifiedSplit that
                && super.equals(that)
                && that.topicId.equals(topicId)
                && that.read.equals(read);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
