package io.cordwood.hot.statistics;

import io.cordwood.catalog.table.PartitionId;
import java.io.Closeable;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;

/** Where the ingest job publishes statistics. Thread-safe; every method may throw while the sink is away. */
public interface StatisticsSink extends Closeable {
    /** Stores chunks of a partition in place of older statistics of the same chunks. */
    void put(String stream, PartitionEpoch partition, Collection<ChunkStatistics> chunks);

    /** Stores columns of tenants in chunks of a partition in place of what was known of the same ones. */
    void putColumns(String stream, PartitionEpoch partition, Collection<TenantColumns> columns);

    /** Removes statistics of chunks that lie wholly below an offset. */
    void trim(String stream, PartitionId partition, long below);

    /** Removes columns of chunks that lie wholly below an offset. */
    void trimColumns(String stream, PartitionId partition, long below);

    /** Tenants of whose rows queries have had conditions on columns since then. */
    Set<String> asked(String stream, Instant since);

    @Override
    void close();
}
