package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.serial.VersionedTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A partition of a topic with a certain id: the key of the builder's state. Immutable.
 *
 * <p>A recreated topic of the same name has other keys. Remaining rows of the old topic are flushed soon, and offsets
 * of the two are never compared.
 *
 * <p>Its hash code decides which subtask builds the partition, see {@link PartitionSpread}.
 *
 * @param stream name of the topic
 * @param topicId Kafka's UUID of the topic
 * @param partition number of the partition
 */
public record LogPartition(String stream, String topicId, int partition) {
    public static final TypeInformation<LogPartition> TYPE =
            new VersionedTypeInfo<>(LogPartition.class, new LogPartitionSerializer());

    public LogPartition {
        requireNonNull(stream, "stream is null");
        requireNonNull(topicId, "topicId is null");
    }

    /** The same partition as the catalog knows it. */
    public PartitionId id() {
        return new PartitionId(topicId, partition);
    }

    @Override
    public int hashCode() {
        return PartitionSpread.hashCode(stream, partition);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogPartition that
                && that.partition == partition
                && that.topicId.equals(topicId)
                && that.stream.equals(stream);
    }

    @Override
    public String toString() {
        return stream + "-" + partition;
    }
}
