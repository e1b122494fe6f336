package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.record.KafkaRecord;

/**
 * A record on its way from the Kafka consumer to the builder of its partition, undecoded. Immutable under the rule of
 * {@link KafkaRecord}.
 *
 * @param topicId Kafka's UUID of the topic that the record was read from
 * @param kafka the record
 */
public record RawRecord(String topicId, KafkaRecord kafka) implements PartitionEvent {
    public RawRecord {
        requireNonNull(topicId, "topicId is null");
        requireNonNull(kafka, "kafka is null");
    }

    @Override
    public LogPartition partition() {
        return new LogPartition(kafka.stream(), topicId, kafka.partition());
    }
}
