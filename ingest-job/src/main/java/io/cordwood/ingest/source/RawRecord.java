package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.record.KafkaRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A record on its way from the Kafka consumer to the builder of its partition, undecoded. Immutable under the rule of
 * {@link KafkaRecord}.
 *
 * @param topicId Kafka's UUID of the topic that the record was read from
 * @param kafka the record
 */
public record RawRecord(String topicId, KafkaRecord kafka) {
    public static final TypeInformation<RawRecord> TYPE =
            new VersionedTypeInfo<>(RawRecord.class, new RawRecordSerializer());

    public RawRecord {
        requireNonNull(topicId, "topicId is null");
        requireNonNull(kafka, "kafka is null");
    }
}
