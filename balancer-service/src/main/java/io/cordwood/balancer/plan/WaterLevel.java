package io.cordwood.balancer.plan;

/**
 * The utilisation to which the fullest partitions of a worker must sink until neither they nor the worker are
 * overloaded.
 */
final class WaterLevel {
    private static final int STEPS = 60;

    private WaterLevel() {}

    /** The highest utilisation of a worker's partitions, at most the goal, at which the worker also meets the goal. */
    static double of(Network network, Assignment flows, int worker, Goal goal) {
        double limit = goal.ofWorker(worker);
        double low = 0;
        double high = goal.partitionUtilisation();
        if (below(network, flows, worker, high) <= limit) {
            return high;
        }
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (below(network, flows, worker, middle) <= limit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double below(Network network, Assignment flows, int worker, double level) {
        double sum = 0;
        for (int j : network.partitionsOf(worker)) {
            sum += Math.min(flows.load(j), level * network.capacity(j));
        }
        return sum;
    }
}
