package io.cordwood.ingest.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * States that a flush is in its table, now or already before. Immutable.
 *
 * @param partition partition of its rows
 * @param number the flush's number among those of its partition
 */
public record Acknowledgement(LogPartition partition, long number) {
    public static final TypeInformation<Acknowledgement> TYPE =
            new VersionedTypeInfo<>(Acknowledgement.class, new AcknowledgementSerializer());

    public Acknowledgement {
        requireNonNull(partition, "partition is null");
    }
}
