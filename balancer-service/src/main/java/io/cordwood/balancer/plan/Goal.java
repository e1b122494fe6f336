package io.cordwood.balancer.plan;

/**
 * How much workers and partitions are to carry at most. Immutable.
 *
 * <p>Partitions usually could take more together than their worker may, so how full each is remains free. It is chosen
 * half-way: nearer to the level of their worker rows would wait less, further away large tenants need fewer partitions.
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

    /** The goal of a utilisation; partitions still take what their workers may. */
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

    /** The same for both. */
    static Goal even(Network network, double utilisation) {
        return new Goal(network, utilisation, utilisation);
    }

    double ofWorker(int worker) {
        return ofWorkers * network.limit(worker);
    }

    double ofPartition(int partition) {
        return ofPartitions * network.capacity(partition);
    }

    /** The utilisation that no partition is to exceed. */
    double partitionUtilisation() {
        return ofPartitions;
    }
}
