package io.cordwood.balancer.plan;

/**
 * The most that workers and partitions should carry. Immutable.
 *
 * <p>The partitions of a worker can usually take more together than the worker, so the load of each can be chosen. The
 * goal lies half-way: closer to the worker's level, rows would wait less; further away, large tenants would need fewer
 * partitions.
 */
final class Goal {
    private final Network network;
    private final double ofWorkers;
    private final double ofPartitions;

    private Goal(Network network, double ofWorkers, double ofPartitions) {
        this.network = network;
        this.ofWorkers = ofWorkers;
        this.ofPartitions = ofPartitions;
    }

    /** The goal of a utilisation; partitions may still take as much as their workers. */
    static Goal of(Network network, double utilisation) {
        double level = 0;
        for (int k = 0; k < network.workers(); k++) {
            double through = 0;
            for (int j : network.partitionsOf(k)) {
                through += network.capacity(j);
            }
            if (through > 0) {
                level = Math.max(level, network.limit(k) / through);
            }
        }
        return new Goal(network, utilisation, utilisation * (Math.min(1, level) + 1) / 2);
    }

    /** The same utilisation for workers and partitions. */
    static Goal even(Network network, double utilisation) {
        return new Goal(network, utilisation, utilisation);
    }

    double ofWorker(int worker) {
        return ofWorkers * network.limit(worker);
    }

    double ofPartition(int partition) {
        return ofPartitions * network.capacity(partition);
    }

    /** The utilisation that no partition should exceed. */
    double partitionUtilisation() {
        return ofPartitions;
    }
}
