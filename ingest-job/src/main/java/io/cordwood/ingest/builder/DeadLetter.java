package io.cordwood.ingest.builder;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.KafkaRecord;
import java.util.OptionalInt;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A record that could not be decoded, or lines of a batch that could not. Immutable.
 *
 * @param partition the partition that it came from
 * @param record the record; of lines, with a value of these alone
 * @param line the number of the first of these lines in the record, from 1; empty for a whole record
 * @param reason stable name of the reason
 * @param message what was wrong with it
 */
public record DeadLetter(LogPartition partition, KafkaRecord record, OptionalInt line, String reason, String message) {
    public static final TypeInformation<DeadLetter> TYPE =
            new VersionedTypeInfo<>(DeadLetter.class, new DeadLetterSerializer());

    public DeadLetter {
        requireNonNull(partition, "partition is null");
        requireNonNull(record, "record is null");
        requireNonNull(line, "line is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
    }
}
