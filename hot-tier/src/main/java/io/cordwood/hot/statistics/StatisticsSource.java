package io.cordwood.hot.statistics;

import java.io.Closeable;
import java.util.List;
import java.util.Map;

/** Statistics as the ingest job has published them. Thread-safe; every method may throw while the source is away. */
public interface StatisticsSource extends Closeable {
    /** What is stored of chunks, by partition and number. */
    Map<PartitionEpoch, List<ChunkStatistics>> get(String stream, Map<PartitionEpoch, List<Long>> numbers);

    /** What is stored of a tenant's columns in chunks, by partition and number. */
    Map<PartitionEpoch, List<TenantColumns>> getColumns(
            String stream, String tenantId, Map<PartitionEpoch, List<Long>> numbers);

    /** Takes note that queries of a tenant's rows have conditions on columns. */
    void ask(String stream, String tenantId);

    @Override
    void close();
}
