package io.cordwood.hot.statistics;

import io.cordwood.catalog.table.PartitionId;
import java.io.Closeable;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;

/** The target of the ingest job's statistics. Thread-safe; every method may throw while the target is unavailable. */
public interface StatisticsSink extends Closeable {
    /** Stores chunks of a partition, and replaces older statistics of the same chunks. */
    void put(String stream, PartitionEpoch partition, Collection<ChunkStatistics> chunks);

    /** Stores columns of tenants in chunks of a partition, and replaces older ones. */
    void putColumns(String stream, PartitionEpoch partition, Collection<TenantColumns> columns);

    /** Removes statistics of chunks that lie completely below an offset. */
    void trim(String stream, PartitionId partition, long below);

    /** Removes columns of chunks that lie completely below an offset. */
    void trimColumns(String stream, PartitionId partition, long below);

    /** Tenants whose columns queries have filtered on since that time. */
    Set<String> asked(String stream, Instant since);

    @Override
    void close();
}
