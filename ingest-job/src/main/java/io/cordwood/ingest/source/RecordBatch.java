package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.record.KafkaRecord;
import java.util.List;

/**
 * A batch of records of one partition on their way from the Kafka consumer to the partition's builder, not decoded yet.
 * Flink's cost per element is paid once per batch. Immutable under the rule of {@link KafkaRecord}.
 *
 * @param partition the partition, with the id of its topic when they were read
 * @param leaderEpoch the epoch of the partition's leader that appended them, or {@link LogVersion#NO_EPOCH}
 * @param records by ascending offset
 */
public record RecordBatch(LogPartition partition, int leaderEpoch, List<KafkaRecord> records)
        implements PartitionEvent {
    public RecordBatch {
        requireNonNull(partition, "partition is null");
        records = List.copyOf(records);
    }
}
