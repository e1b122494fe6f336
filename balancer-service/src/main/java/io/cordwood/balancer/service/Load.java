package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.plan.WorkerCapacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a stream's traffic is, as measured. Immutable. Rates are bytes of record values per second.
 *
 * @param atMillis when it was measured
 * @param tenants what each tenant sends
 * @param partitions every partition of the topic
 * @param workers every worker that reported lately
 */
record Load(
        long atMillis,
        Map<String, TenantRate> tenants,
        Map<Integer, PartitionRate> partitions,
        List<WorkerRate> workers) {
    static final Load NONE = new Load(0, Map.of(), Map.of(), List.of());

    /** The largest factor by which what arrives may exceed what was taken in. */
    private static final double MOST_BEHIND = 100;

    record TenantRate(double rows, double bytes) {}

    /**
     * A partition.
     *
     * @param worker who serves it; empty if nobody reported it lately
     * @param records records per second that arrive
     * @param lag records that are not in tables yet
     */
    record PartitionRate(String worker, double bytes, double records, long lag) {}

    record WorkerRate(String worker, double bytes, FlinkView.Usage usage) {}

    Load {
        tenants = Map.copyOf(tenants);
        partitions = Map.copyOf(partitions);
        workers = List.copyOf(workers);
    }

    /**
     * What follows from reports and offsets. Reports say which tenants a partition's records are of; where more arrives
     * than is taken in, the ends of the partitions say how much.
     *
     * @param staleMillis reports that are older do not count
     */
    static Load of(
            List<PartitionReport> reports,
            Offsets now,
            Offsets earlier,
            Map<String, FlinkView.Usage> usage,
            long staleMillis) {
        Map<Integer, PartitionRate> partitions = new TreeMap<>();
        now.ends()
                .keySet()
                .forEach(partition -> partitions.put(
                        partition, new PartitionRate("", 0, now.arriving(partition, earlier), now.lag(partition))));
        Map<String, TenantRate> tenants = new TreeMap<>();
        Map<String, Double> workers = new TreeMap<>();
        for (PartitionReport report : reports) {
            PartitionRate rate = partitions.get(report.partition());
            if (rate != null && now.atMillis() - report.toMillis() <= staleMillis) {
                double taken = report.records() / report.seconds();
                double behind = taken > 0 ? Math.clamp(rate.records() / taken, 1, MOST_BEHIND) : 1;
                double bytes = add(report, behind, tenants);
                partitions.put(
                        report.partition(), new PartitionRate(report.worker(), bytes, rate.records(), rate.lag()));
                workers.merge(report.worker(), bytes, Double::sum);
            }
        }
        List<WorkerRate> workerRates = new ArrayList<>();
        workers.forEach((worker, bytes) ->
                workerRates.add(new WorkerRate(worker, bytes, usage.getOrDefault(worker, FlinkView.Usage.UNKNOWN))));
        return new Load(now.atMillis(), tenants, partitions, workerRates);
    }

    private static double add(PartitionReport report, double behind, Map<String, TenantRate> tenants) {
        double sum = 0;
        for (Map.Entry<String, PartitionReport.Traffic> tenant :
                report.tenants().entrySet()) {
            double factor = behind / report.seconds();
            double bytes = tenant.getValue().bytes() * factor;
            tenants.merge(
                    tenant.getKey(),
                    new TenantRate(tenant.getValue().rows() * factor, bytes),
                    (a, b) -> new TenantRate(a.rows() + b.rows(), a.bytes() + b.bytes()));
            sum += bytes;
        }
        return sum;
    }

    /** The right half of the flow network. */
    Cluster cluster(Capacities capacities) {
        List<WorkerCapacity> servers = workers.stream()
                .map(worker -> new WorkerCapacity(
                        worker.worker(),
                        capacities.workerBytes(),
                        partitions.entrySet().stream()
                                .filter(partition ->
                                        partition.getValue().worker().equals(worker.worker()))
                                .map(Map.Entry::getKey)
                                .sorted()
                                .toList()))
                .toList();
        return new Cluster(
                new TreeSet<>(partitions.keySet())
                        .stream()
                                .map(partition -> new PartitionCapacity(partition, capacities.partitionBytes()))
                                .toList(),
                servers,
                capacities.watermark());
    }

    /** The demand of these tenants; those that are silent want nothing. */
    List<TenantDemand> demands(Iterable<String> all) {
        List<TenantDemand> demands = new ArrayList<>();
        for (String tenant : all) {
            TenantRate rate = tenants.get(tenant);
            demands.add(new TenantDemand(tenant, rate == null ? 0 : rate.bytes()));
        }
        return demands;
    }
}
