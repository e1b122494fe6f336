package io.cordwood.balancer.plan;

/**
 * How much more each partition may take: what is left of its own budget and of its worker's. Not thread-safe.
 *
 * <p>The best partition of a worker is kept until something changes there, so that finding the best of all looks at the
 * workers only.
 */
final class Headroom {
    private final Network network;
    private final Assignment flows;
    private final Goal goal;
    private final int[] bestOf;

    /**
     * Rooms up to a goal.
     *
     * @param flows what is placed already; after each change {@link #changed} must be called
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

    /** What the partition may take besides what it has; below 0 if it has too much. */
    double of(int partition) {
        int worker = network.workerOf(partition);
        return worker == Network.NO_WORKER || !network.isUsable(partition)
                ? 0
                : Math.min(ownRoom(partition), ofWorker(worker));
    }

    double ofWorker(int worker) {
        return goal.ofWorker(worker) - flows.workerLoad(worker);
    }

    private double ownRoom(int partition) {
        return goal.ofPartition(partition) - flows.load(partition);
    }

    /** The partition with the most room; of equals the first. Negative if no partition takes anything. */
    int best() {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < bestOf.length; k++) {
            if (bestOf[k] >= 0) {
                double room = of(bestOf[k]);
                if (room > most) {
                    most = room;
                    best = bestOf[k];
                }
            }
        }
        return best;
    }

    /** Says that the load of a partition is another now. */
    void changed(int partition) {
        refresh(network.workerOf(partition));
    }

    private void refresh(int worker) {
        int best = -1;
        for (int j : network.partitionsOf(worker)) {
            if (network.isUsable(j) && (best < 0 || ownRoom(j) > ownRoom(best))) {
                best = j;
            }
        }
        bestOf[worker] = best;
    }
}
