package io.cordwood.ingest.source;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** What the source tells the builder of a partition, in the order of the partition's offsets. Immutable. */
public sealed interface PartitionEvent permits RawRecords, OffsetAdvance {
    TypeInformation<PartitionEvent> TYPE =
            new VersionedTypeInfo<>(PartitionEvent.class, new PartitionEventSerializer());

    /** The partition it is about. */
    LogPartition partition();
}
