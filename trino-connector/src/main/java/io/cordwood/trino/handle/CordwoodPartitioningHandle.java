package io.cordwood.trino.handle;

import io.trino.spi.connector.ConnectorPartitioningHandle;

/**
 * How rows of tables are spread over nodes, as far as the engine may rely on it: in so many buckets, whatever their
 * values. Immutable.
 *
 * @param buckets 1: rows lie together, and nothing is gained by exchanging them
 */
public record CordwoodPartitioningHandle(int buckets) implements ConnectorPartitioningHandle {
    public static final CordwoodPartitioningHandle TOGETHER = new CordwoodPartitioningHandle(1);
}
