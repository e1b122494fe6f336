package io.cordwood.routing;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Spreads the records of one tenant over its routes by smooth weighted round-robin, counted in bytes. Thread-safe.
 *
 * <p>Records stay on one partition for a run of about one producer batch, so that batches fill. After a run of n bytes,
 * every route is credited n times its weight, the used one pays n, and the one with the most credit is next. In the
 * long run each route carries its share, and at any time none is more than about one run ahead. The first route is
 * drawn by the weights. Otherwise many producers that send little, or new tables in quick succession, would all start
 * with the largest.
 */
final class TenantRouter {
    private final List<Route> routes;
    private final int partitionCount;
    private final int[] partitions;
    private final double[] weights;
    private final double[] credits;
    private final int runBytes;
    private int current;
    private int bytesOfRun;

    /**
     * Creates a router. Ignores routes of partitions that do not exist; the others keep their proportions.
     *
     * @param partitionCount number of partitions of the topic
     */
    TenantRouter(List<Route> routes, int partitionCount, int runBytes) {
        List<Route> usable = routes.stream()
                .filter(route -> route.partition() < partitionCount)
                .toList();
        double sum = usable.stream().mapToDouble(Route::weight).sum();
        this.routes = routes;
        this.partitionCount = partitionCount;
        this.partitions = usable.stream().mapToInt(Route::partition).toArray();
        this.weights =
                usable.stream().mapToDouble(route -> route.weight() / sum).toArray();
        this.credits = weights.clone();
        this.runBytes = runBytes;
        this.current = draw();
    }

    private int draw() {
        double left = ThreadLocalRandom.current().nextDouble();
        for (int i = 0; i < weights.length; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return Math.max(0, weights.length - 1);
    }

    /** Whether it has these routes, for a topic with this many partitions. */
    boolean isFor(List<Route> otherRoutes, int count) {
        return partitionCount == count && routes.equals(otherRoutes);
    }

    /** Whether no route leads to an existing partition. */
    boolean isEmpty() {
        return partitions.length == 0;
    }

    /** The partition of the next record. */
    synchronized int partition(int recordBytes) {
        if (bytesOfRun >= runBytes) {
            for (int i = 0; i < credits.length; i++) {
                credits[i] += bytesOfRun * weights[i];
            }
            credits[current] -= bytesOfRun;
            bytesOfRun = 0;
            choose();
        }
        bytesOfRun += recordBytes;
        return partitions[current];
    }

    private void choose() {
        int best = 0;
        for (int i = 1; i < credits.length; i++) {
            if (credits[i] > credits[best]) {
                best = i;
            }
        }
        current = best;
    }
}
