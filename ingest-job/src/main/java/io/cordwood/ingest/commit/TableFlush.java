package io.cordwood.ingest.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.ingest.serial.VersionedTypeInfo;
import io.cordwood.ingest.source.LogPartition;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A flush on its way to its table. Immutable.
 *
 * @param partition partition of its rows
 * @param tenantId tenant of its rows
 * @param number the flush's number among those of its partition, from 0, without gaps
 * @param flush offset range and files
 */
public record TableFlush(LogPartition partition, String tenantId, long number, Flush flush) {
    public static final TypeInformation<TableFlush> TYPE =
            new VersionedTypeInfo<>(TableFlush.class, new TableFlushSerializer());

    public TableFlush {
        requireNonNull(partition, "partition is null");
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(flush, "flush is null");
    }

    /** The target table. */
    public TableKey table() {
        return new TableKey(tenantId, partition.stream());
    }

    /** The acknowledgement for the publisher once the flush is in its table. */
    Acknowledgement acknowledgement() {
        return new Acknowledgement(partition, number);
    }
}
