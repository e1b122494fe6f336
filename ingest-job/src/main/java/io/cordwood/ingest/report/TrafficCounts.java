package io.cordwood.ingest.report;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Rows and bytes of each tenant and partition since the last report. Not thread-safe. */
public final class TrafficCounts {
    private final Map<String, Map<Integer, Map<String, Count>>> streams = new HashMap<>();
    private long fromMillis;

    private static final class Count {
        private long rows;
        private long bytes;
    }

    /** Counts from now on. */
    public TrafficCounts(long nowMillis) {
        fromMillis = nowMillis;
    }

    /** A partition that is reported even if nothing comes from it. */
    public void partition(String stream, int partition) {
        tenants(stream, partition);
    }

    /** Takes note of a record. */
    public void add(String stream, int partition, String tenant, long rows, long bytes) {
        Count count = tenants(stream, partition).computeIfAbsent(tenant, unknown -> new Count());
        count.rows += rows;
        count.bytes += bytes;
    }

    private Map<String, Count> tenants(String stream, int partition) {
        return streams.computeIfAbsent(stream, unknown -> new TreeMap<>())
                .computeIfAbsent(partition, unknown -> new HashMap<>());
    }

    /** What was counted, and begins anew. */
    public TrafficReport take(String worker, long nowMillis) {
        Map<String, Map<Integer, Map<String, TrafficReport.Traffic>>> taken = new HashMap<>();
        streams.forEach((stream, partitions) -> {
            Map<Integer, Map<String, TrafficReport.Traffic>> byPartition = new TreeMap<>();
            partitions.forEach((partition, tenants) -> {
                Map<String, TrafficReport.Traffic> byTenant = new TreeMap<>();
                tenants.forEach(
                        (tenant, count) -> byTenant.put(tenant, new TrafficReport.Traffic(count.rows, count.bytes)));
                byPartition.put(partition, byTenant);
            });
            taken.put(stream, byPartition);
        });
        TrafficReport report = new TrafficReport(worker, fromMillis, nowMillis, taken);
        streams.clear();
        fromMillis = nowMillis;
        return report;
    }
}
