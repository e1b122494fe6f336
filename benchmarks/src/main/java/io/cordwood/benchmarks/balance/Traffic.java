package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.plan.WorkerCapacity;
import io.cordwood.routing.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A model of traffic that follows routes; not a measurement.
 *
 * <p>A partition forwards at most its capacity. A worker ingests at most its full capacity, even above the watermark.
 * The excess waits and is then refused. A batch of 1,000 rows has a service time in the partition and in the worker,
 * and waits in front of each as in an M/D/1 queue, at most as long as a full buffer lasts.
 *
 * @param offered rows per second that tenants send
 * @param throughput rows per second that are ingested
 * @param batchMillis mean time of a batch of 1,000 rows, weighted by rows
 * @param p99BatchMillis 99th percentile of that time over the rows
 * @param partitionDeviation standard deviation of the partitions' load, rows per second
 * @param workerDeviation standard deviation of the workers' load, rows per second
 * @param hotPartitions partitions with more than their capacity or on a worker above its watermark
 * @param partitions load of each partition, sorted by partition
 * @param workers load of each worker
 */
record Traffic(
        double offered,
        double throughput,
        double batchMillis,
        double p99BatchMillis,
        double partitionDeviation,
        double workerDeviation,
        int hotPartitions,
        double[] partitions,
        double[] workers) {
    private static final double BATCH_ROWS = 1_000;
    private static final double BUFFER_MILLIS = 2_000;
    private static final double ROUNDING = 1 + 1e-6;

    static Traffic of(Cluster cluster, List<TenantDemand> demands, Map<String, List<Route>> routes) {
        double[] partitions = new double[cluster.partitions().size()];
        double offered = 0;
        for (TenantDemand demand : demands) {
            offered += demand.demand();
            for (Route route : routes.get(demand.tenant())) {
                partitions[route.partition()] += demand.demand() * route.weight();
            }
        }
        double[] capacities = cluster.partitions().stream()
                .mapToDouble(PartitionCapacity::capacity)
                .toArray();
        double[] workers = new double[cluster.workers().size()];
        double[] millis = new double[partitions.length];
        // A partition without a worker ingests nothing.
        Arrays.fill(millis, BUFFER_MILLIS);
        double throughput = 0;
        int hot = 0;
        for (int k = 0; k < workers.length; k++) {
            WorkerCapacity worker = cluster.workers().get(k);
            double arriving = 0;
            for (int j : worker.partitions()) {
                workers[k] += partitions[j];
                arriving += Math.min(partitions[j], capacities[j]);
            }
            throughput += Math.min(arriving, worker.capacity());
            boolean hotWorker = workers[k] > worker.capacity() * cluster.watermark() * ROUNDING;
            for (int j : worker.partitions()) {
                millis[j] = batchMillis(partitions[j], capacities[j]) + batchMillis(arriving, worker.capacity());
                hot += hotWorker || partitions[j] > capacities[j] * ROUNDING ? 1 : 0;
            }
        }
        return new Traffic(
                offered,
                throughput,
                offered > 0 ? mean(partitions, millis) : 0,
                percentile(partitions, millis),
                deviation(partitions),
                deviation(workers),
                hot,
                partitions,
                workers);
    }

    private static double batchMillis(double load, double capacity) {
        double service = 1_000 * BATCH_ROWS / capacity;
        double utilisation = load / capacity;
        double waiting = utilisation >= 1 ? BUFFER_MILLIS : service * utilisation / (2 * (1 - utilisation));
        return service + Math.min(BUFFER_MILLIS, waiting);
    }

    private static double mean(double[] weights, double[] values) {
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            sum += weights[j] * values[j];
        }
        return sum / Arrays.stream(weights).sum();
    }

    private static double percentile(double[] weights, double[] values) {
        Integer[] order = new Integer[values.length];
        Arrays.setAll(order, j -> j);
        Arrays.sort(order, (a, b) -> Double.compare(values[a], values[b]));
        double rest = 0.99 * Arrays.stream(weights).sum();
        for (int j : order) {
            rest -= weights[j];
            if (rest <= 0) {
                return values[j];
            }
        }
        return values[order[order.length - 1]];
    }

    static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        return Math.sqrt(Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElse(0));
    }
}
