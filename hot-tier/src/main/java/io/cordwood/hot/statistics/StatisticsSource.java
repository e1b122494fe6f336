package io.cordwood.hot.statistics;

import java.io.Closeable;
import java.util.List;
import java.util.Map;

/**
 * The statistics that the ingest job has published. Thread-safe; every method may throw while the source is
 * unavailable.
 */
public interface StatisticsSource extends Closeable {
    /** The stored chunks, by partition and number. */
    Map<PartitionEpoch, List<ChunkStatistics>> get(String stream, Map<PartitionEpoch, List<Long>> numbers);

    /** The stored columns of a tenant in chunks, by partition and number. */
    Map<PartitionEpoch, List<TenantColumns>> getColumns(
            String stream, String tenantId, Map<PartitionEpoch, List<Long>> numbers);

    /** Registers that queries filter on columns of a tenant's rows. */
    void ask(String stream, String tenantId);

    @Override
    void close();
}
