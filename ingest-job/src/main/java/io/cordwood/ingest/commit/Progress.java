package io.cordwood.ingest.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * The progress of a partition's builder at a checkpoint: all rows below {@code lowestUnflushed} are in flushes with
 * numbers below {@code flushes}, or were in tables before. Immutable.
 *
 * @param partition the partition
 * @param flushes number of the partition's flushes so far
 * @param lowestUnflushed offset of the first waiting row; the builder's position if there is none
 * @param oldestUnflushedMicros append time of the oldest waiting row; {@code Long.MAX_VALUE} if there is none
 */
public record Progress(LogPartition partition, long flushes, long lowestUnflushed, long oldestUnflushedMicros) {
    public static final TypeInformation<Progress> TYPE =
            new VersionedTypeInfo<>(Progress.class, new ProgressSerializer());

    public Progress {
        requireNonNull(partition, "partition is null");
    }
}
