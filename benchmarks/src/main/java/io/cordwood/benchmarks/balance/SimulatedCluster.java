package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.WorkerCapacity;
import java.util.ArrayList;
import java.util.List;

/** Clusters of equal workers with equally many partitions each, as in LogStore's evaluation. */
final class SimulatedCluster {
    /** LogStore's watermark. */
    static final double WATERMARK = 0.85;

    /**
     * Rows per second of a worker: 24 of these below the watermark take some 2.4 million, as in LogStore's figure 12.
     */
    static final double WORKER_CAPACITY = 120_000;

    /** Capacity of a worker's partitions over that of the worker: one partition cannot use a whole worker. */
    private static final double PARTITIONS_OVER_WORKER = 1.5;

    private SimulatedCluster() {}

    /** Partitions are dealt to the workers round-robin. */
    static Cluster of(int partitions, int workers) {
        return of(partitions, workers, List.of());
    }

    /** The cluster without some workers, whose partitions are not served. */
    static Cluster of(int partitions, int workers, List<Integer> lost) {
        double capacity = PARTITIONS_OVER_WORKER * WATERMARK * WORKER_CAPACITY * workers / partitions;
        List<PartitionCapacity> capacities = new ArrayList<>();
        List<List<Integer>> served = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            served.add(new ArrayList<>());
        }
        for (int j = 0; j < partitions; j++) {
            capacities.add(new PartitionCapacity(j, capacity));
            served.get(j % workers).add(j);
        }
        List<WorkerCapacity> servers = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            if (!lost.contains(k)) {
                servers.add(new WorkerCapacity("worker-%03d".formatted(k), WORKER_CAPACITY, served.get(k)));
            }
        }
        return new Cluster(capacities, servers, WATERMARK);
    }

    /** Capacity of all workers. */
    static double bound(int workers) {
        return workers * WATERMARK * WORKER_CAPACITY;
    }
}
