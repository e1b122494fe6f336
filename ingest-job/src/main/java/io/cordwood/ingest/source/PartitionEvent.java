package io.cordwood.ingest.source;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** An event of a partition that the source sends to the builder, in the order of the partition's offsets. Immutable. */
public sealed interface PartitionEvent permits RecordBatch, OffsetAdvance {
    TypeInformation<PartitionEvent> TYPE =
            new VersionedTypeInfo<>(PartitionEvent.class, new PartitionEventSerializer());

    /** The partition of the event. */
    LogPartition partition();
}
