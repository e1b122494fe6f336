package io.cordwood.ingest.builder;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.KafkaRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A record that could not be decoded. Immutable.
 *
 * @param partition the partition that it came from
 * @param record the record
 * @param reason stable name of the reason
 * @param message what was wrong with it
 */
public record DeadLetter(LogPartition partition, KafkaRecord record, String reason, String message) {
    public static final TypeInformation<DeadLetter> TYPE =
            new VersionedTypeInfo<>(DeadLetter.class, new DeadLetterSerializer());

    public DeadLetter {
        requireNonNull(partition, "partition is null");
        requireNonNull(record, "record is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
    }
}
