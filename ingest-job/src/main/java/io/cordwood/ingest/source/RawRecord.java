package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.record.KafkaRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A record from the Kafka consumer, not decoded yet. Immutable under the rule of {@link KafkaRecord}.
 *
 * @param topicId Kafka's UUID of the record's topic
 * @param leaderEpoch the epoch of the partition's leader that appended it, or {@link LogVersion#NO_EPOCH}
 * @param kafka the record
 */
public record RawRecord(String topicId, int leaderEpoch, KafkaRecord kafka) {
    static final TypeInformation<RawRecord> TYPE =
            new VersionedTypeInfo<>(RawRecord.class, RawRecordSerializer.INSTANCE);

    public RawRecord {
        requireNonNull(topicId, "topicId is null");
        requireNonNull(kafka, "kafka is null");
    }

    /** The partition of the record. */
    public LogPartition partition() {
        return new LogPartition(kafka.stream(), topicId, kafka.partition());
    }

    /** Whether the record is from this partition. */
    boolean isOf(LogPartition partition) {
        return kafka.partition() == partition.partition()
                && topicId.equals(partition.topicId())
                && kafka.stream().equals(partition.stream());
    }
}
