package io.cordwood.ingest.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * How far the builder of a partition was at a checkpoint: all rows below {@code lowestUnflushed} are in flushes with
 * numbers below {@code flushes}, or were in tables before. Immutable.
 *
 * @param partition the partition
 * @param flushes how many flushes the partition has had so far
 * @param lowestUnflushed offset of the first row that waits in a buffer; the builder's position if none does
 * @param oldestUnflushedMicros append time of the oldest row that waits; {@code Long.MAX_VALUE} if none does
 */
public record Progress(LogPartition partition, long flushes, long lowestUnflushed, long oldestUnflushedMicros) {
    public static final TypeInformation<Progress> TYPE =
            new VersionedTypeInfo<>(Progress.class, new ProgressSerializer());

    public Progress {
        requireNonNull(partition, "partition is null");
    }
}
