package io.cordwood.balancer.plan;

/**
 * The remaining capacity of each partition: the rest of its own budget and of its worker's. Not thread-safe.
 *
 * <p>The best partition of a worker is cached until the worker's load changes, so that a search for the best of all
 * visits only the workers.
 */
final class Headroom {
    private final Network network;
    private final Assignment flows;
    private final Goal goal;
    private final int[] bestOf;

    /**
     * Headroom up to a goal.
     *
     * @param flows existing flows; call {@link #changed} after each change
     */
    Headroom(Network network, Assignment flows, Goal goal) {
        this.network = network;
        this.flows = flows;
        this.goal = goal;
        bestOf = new int[network.workers()];
        for (int k = 0; k < network.workers(); k++) {
            refresh(k);
        }
    }

    /** Remaining capacity of the partition; below 0 if it is overloaded. */
    double of(int partition) {
        int worker = network.workerOf(partition);
        return worker == Network.NO_WORKER || !network.isUsable(partition)
                ? 0
                : Math.min(partitionHeadroom(partition), ofWorker(worker));
    }

    double ofWorker(int worker) {
        return goal.ofWorker(worker) - flows.workerLoad(worker);
    }

    private double partitionHeadroom(int partition) {
        return goal.ofPartition(partition) - flows.load(partition);
    }

    /** The partition with the most headroom, the first of equals. Negative if no partition has capacity. */
    int best() {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < bestOf.length; k++) {
            if (bestOf[k] >= 0) {
                double free = of(bestOf[k]);
                if (free > most) {
                    most = free;
                    best = bestOf[k];
                }
            }
        }
        return best;
    }

    /** Tells that the load of a partition has changed. */
    void changed(int partition) {
        refresh(network.workerOf(partition));
    }

    private void refresh(int worker) {
        int best = -1;
        for (int j : network.partitionsOf(worker)) {
            if (network.isUsable(j) && (best < 0 || partitionHeadroom(j) > partitionHeadroom(best))) {
                best = j;
            }
        }
        bestOf[worker] = best;
    }
}
