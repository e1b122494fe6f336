package io.cordwood.ingest.report;

import io.cordwood.ingest.report.TrafficReport.PartitionTraffic;
import io.cordwood.ingest.report.TrafficReport.Traffic;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Rows and bytes of each tenant and partition since the last report. Not thread-safe. */
public final class TrafficCounts {
    private final Map<String, Map<Integer, Partition>> streams = new HashMap<>();
    private long fromTick;

    private static final class Partition {
        private final Map<String, Count> tenants = new HashMap<>();
        private long records;
        private long position;

        PartitionTraffic traffic() {
            Map<String, Traffic> traffic = new TreeMap<>();
            tenants.forEach((tenant, count) -> traffic.put(tenant, new Traffic(count.rows, count.bytes)));
            return new PartitionTraffic(records, position, traffic);
        }
    }

    private static final class Count {
        private long rows;
        private long bytes;
    }

    /**
     * Counts from now on.
     *
     * @param now tick of the job's clock
     */
    public TrafficCounts(long now) {
        fromTick = now;
    }

    /** Sets the position of a partition, which is reported even without records. */
    public void stands(String stream, int partition, long position) {
        counts(stream, partition).position = position;
    }

    /** Counts a record. */
    public void add(String stream, int partition, String tenant, long rows, long bytes) {
        Partition counts = counts(stream, partition);
        counts.records++;
        Count count = counts.tenants.computeIfAbsent(tenant, unknown -> new Count());
        count.rows += rows;
        count.bytes += bytes;
    }

    private Partition counts(String stream, int partition) {
        return streams.computeIfAbsent(stream, unknown -> new TreeMap<>())
                .computeIfAbsent(partition, unknown -> new Partition());
    }

    /**
     * Returns the counts and resets them.
     *
     * @param nowMillis end of the counted period, milliseconds since the epoch
     * @param now the same time as a tick of the job's clock, for the length of the period
     */
    public TrafficReport take(String worker, long nowMillis, long now) {
        Map<String, Map<Integer, PartitionTraffic>> taken = new HashMap<>();
        streams.forEach((stream, partitions) -> {
            Map<Integer, PartitionTraffic> traffic = new TreeMap<>();
            partitions.forEach((partition, counts) -> traffic.put(partition, counts.traffic()));
            taken.put(stream, traffic);
        });
        TrafficReport report = new TrafficReport(worker, nowMillis - (now - fromTick), nowMillis, taken);
        streams.clear();
        fromTick = now;
        return report;
    }
}
