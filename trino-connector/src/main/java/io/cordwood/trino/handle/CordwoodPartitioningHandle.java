package io.cordwood.trino.handle;

import io.trino.spi.connector.ConnectorPartitioningHandle;

/**
 * The partitioning of tables that the engine may rely on: a number of buckets, independent of the rows' values.
 * Immutable.
 *
 * @param buckets 1: all rows lie together, so exchanging them gains nothing
 */
public record CordwoodPartitioningHandle(int buckets) implements ConnectorPartitioningHandle {
    public static final CordwoodPartitioningHandle TOGETHER = new CordwoodPartitioningHandle(1);
}
