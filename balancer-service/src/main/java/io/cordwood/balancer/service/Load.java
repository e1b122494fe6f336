package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.plan.WorkerCapacity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The measured traffic of a stream. Immutable. Rates are bytes of record values per second.
 *
 * @param atMillis time of the measurement
 * @param countedFromMillis start of the earliest report
 * @param tenants traffic of each tenant
 * @param partitions every partition of the topic
 * @param workers every worker that is known to run
 * @param delaySeconds longest time that any worker needs for its waiting records; infinite if a worker has waiting
 *     records and consumes none, or if records arrive at a partition without a report. The division of a partition's
 *     records among tenants is as old as that
 * @param valueBytes mean bytes of a record's value; 0 if none came
 */
record Load(
        long atMillis,
        long countedFromMillis,
        Map<String, TenantRate> tenants,
        Map<Integer, PartitionRate> partitions,
        List<WorkerRate> workers,
        double delaySeconds,
        double valueBytes) {
    static final Load NONE = new Load(0, 0, Map.of(), Map.of(), List.of(), 0, 0);

    /** Upper bound of the ratio of arriving to consumed traffic. */
    private static final double MOST_BEHIND = 100;

    /**
     * The traffic of a tenant.
     *
     * @param rows rows that arrive
     * @param bytes bytes that arrive
     * @param takenBytes bytes that are consumed; fewer while more arrive
     */
    record TenantRate(double rows, double bytes, double takenBytes) {
        TenantRate plus(TenantRate other) {
            return new TenantRate(rows + other.rows, bytes + other.bytes, takenBytes + other.takenBytes);
        }
    }

    /** Records that wait for a worker, and records that it consumes per second. */
    private record Queue(double waiting, double taken) {
        Queue plus(Queue other) {
            return new Queue(waiting + other.waiting, taken + other.taken);
        }

        /**
         * Time to consume the waiting records. A worker alternates between its partitions and takes many records from
         * each, so its rate is even only over all of them.
         */
        double seconds() {
            // Less than one record takes no measurable time.
            return waiting < 1 ? 0 : waiting / taken;
        }
    }

    /**
     * The traffic of a partition.
     *
     * @param worker the worker that serves it; empty if none is known
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
     * Combines reports and offsets. Reports tell which tenants a partition's records are of. Where more arrives than is
     * consumed, the log ends tell the amount.
     *
     * <p>A partition without any records yet appears in no report. It counts to the worker with the fewest partitions,
     * as the job deals them out evenly. Once it gets records, the report names its true worker.
     *
     * @param usage of every running worker, also of those without reports
     * @param staleMillis age above which reports do not count
     */
    static Load of(
            List<PartitionReport> reports,
            Offsets now,
            Offsets earlier,
            Map<String, FlinkView.Usage> usage,
            long staleMillis) {
        Map<Integer, PartitionReport> fresh = new TreeMap<>();
        Map<String, Double> workers = new TreeMap<>();
        usage.keySet().forEach(worker -> workers.put(worker, 0.0));
        for (PartitionReport report : reports) {
            if (now.ends().containsKey(report.partition()) && now.atMillis() - report.toMillis() <= staleMillis) {
                fresh.put(report.partition(), report);
                workers.put(report.worker(), 0.0);
            }
        }
        Map<Integer, String> servers = servers(now, fresh, workers.keySet());
        Map<Integer, PartitionRate> partitions = new TreeMap<>();
        Map<String, TenantRate> tenants = new TreeMap<>();
        Map<String, Queue> queues = new TreeMap<>();
        for (int partition : now.ends().keySet()) {
            double arriving = now.arriving(partition, earlier);
            double bytes = 0;
            if (fresh.containsKey(partition)) {
                PartitionReport report = fresh.get(partition);
                double taken = report.records() / report.seconds();
                double waiting = report.waiting(now, arriving);
                queues.merge(report.worker(), new Queue(isMarker(waiting, taken) ? 0 : waiting, taken), Queue::plus);
                double behind = taken > 0 ? Math.clamp(arriving / taken, 1, MOST_BEHIND) : 1;
                bytes = add(report, behind, tenants);
                workers.merge(report.worker(), bytes, Double::sum);
            }
            partitions.put(
                    partition,
                    new PartitionRate(servers.getOrDefault(partition, ""), bytes, arriving, now.lag(partition)));
        }
        List<WorkerRate> workerRates = new ArrayList<>();
        workers.forEach((worker, bytes) ->
                workerRates.add(new WorkerRate(worker, bytes, usage.getOrDefault(worker, FlinkView.Usage.UNKNOWN))));
        long countedFrom = fresh.values().stream()
                .mapToLong(PartitionReport::fromMillis)
                .min()
                .orElse(0);
        boolean unseen = partitions.entrySet().stream()
                .anyMatch(partition -> partition.getValue().records() > 0 && !fresh.containsKey(partition.getKey()));
        double delay = unseen
                ? Double.POSITIVE_INFINITY
                : queues.values().stream().mapToDouble(Queue::seconds).max().orElse(0);
        return new Load(
                now.atMillis(), countedFrom, tenants, partitions, workerRates, delay, valueBytes(fresh.values()));
    }

    /**
     * Whether the waiting record may be the marker that a transaction leaves at a partition's end, which no worker
     * consumes.
     */
    private static boolean isMarker(double waiting, double taken) {
        return taken == 0 && waiting <= 1;
    }

    private static double valueBytes(Collection<PartitionReport> reports) {
        long records = reports.stream().mapToLong(PartitionReport::records).sum();
        long bytes = reports.stream()
                .flatMap(report -> report.tenants().values().stream())
                .mapToLong(PartitionReport.Traffic::bytes)
                .sum();
        return records > 0 ? (double) bytes / records : 0;
    }

    private static Map<Integer, String> servers(
            Offsets now, Map<Integer, PartitionReport> reports, Set<String> workers) {
        Map<Integer, String> servers = new TreeMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        workers.forEach(worker -> counts.put(worker, 0));
        reports.forEach((partition, report) -> {
            servers.put(partition, report.worker());
            counts.merge(report.worker(), 1, Integer::sum);
        });
        for (int partition : new TreeSet<>(now.ends().keySet())) {
            if (!servers.containsKey(partition) && !counts.isEmpty()) {
                String fewest = Collections.min(counts.entrySet(), Map.Entry.comparingByValue())
                        .getKey();
                servers.put(partition, fewest);
                counts.merge(fewest, 1, Integer::sum);
            }
        }
        return servers;
    }

    private static double add(PartitionReport report, double behind, Map<String, TenantRate> tenants) {
        double sum = 0;
        for (Map.Entry<String, PartitionReport.Traffic> tenant :
                report.tenants().entrySet()) {
            double takenBytes = tenant.getValue().bytes() / report.seconds();
            double bytes = takenBytes * behind;
            double rows = tenant.getValue().rows() * behind / report.seconds();
            tenants.merge(tenant.getKey(), new TenantRate(rows, bytes, takenBytes), TenantRate::plus);
            sum += bytes;
        }
        return sum;
    }

    /** Bytes that arrive per second from all tenants, consumed or not. */
    double arrivingBytes() {
        return valueBytes
                * partitions.values().stream()
                        .mapToDouble(PartitionRate::records)
                        .sum();
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

    /** The demand of these tenants; silent tenants have none. */
    List<TenantDemand> demands(Iterable<String> all) {
        List<TenantDemand> demands = new ArrayList<>();
        for (String tenant : all) {
            TenantRate rate = tenants.get(tenant);
            demands.add(new TenantDemand(tenant, rate == null ? 0 : rate.bytes()));
        }
        return demands;
    }
}
