package io.cordwood.balancer.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lowers the flows of a plan below a utilisation with the fewest changes that it finds. Not thread-safe.
 *
 * <p>It works in this order. Existing routes get other weights ({@link FlowReweighting}, a maximum flow). Tenants with
 * one route leave partitions and workers that are still overloaded, the largest that suffice first, since these are the
 * fewest. Unplaced flow then goes, the largest first, to the tenant's own partitions, else as a whole to the partition
 * with the most headroom, else in parts that fill one partition after another. As the goal is at least the smallest
 * possible utilisation, the headroom suffices for all of it. Each part but the last fills a partition or a worker, so a
 * plan has fewer routes than tenants, partitions and workers together.
 *
 * <p>Tenants with one route to a place with headroom count only as part of its load, so many small tenants cost little.
 */
final class Leveller {
    /** Shares of the total that are negligible. */
    private static final double EPSILON = 1e-10;

    private final Network network;
    private final Assignment flows;
    private final double[] admitted;
    private final Goal goal;
    private final boolean[] changed;
    private final double epsilon;
    private final List<Unplaced> unplaced = new ArrayList<>();

    /** An amount of a tenant without a place. */
    private record Unplaced(int tenant, double amount) {}

    /**
     * A leveller.
     *
     * @param flows flows of the previous plan; changed in place
     * @param admitted the rate that each tenant sends
     * @param goal utilisation to reach, at least the smallest possible one
     * @param changed set for tenants that get other routes
     */
    Leveller(Network network, Assignment flows, double[] admitted, Goal goal, boolean[] changed) {
        this.network = network;
        this.flows = flows;
        this.admitted = admitted;
        this.goal = goal;
        this.changed = changed;
        epsilon = EPSILON * Arrays.stream(admitted).sum();
    }

    void level() {
        new FlowReweighting(network, flows, admitted, goal, changed, epsilon).reweight();
        relieve();
        findUnplaced();
        Headroom headroom = new Headroom(network, flows, goal);
        unplaced.sort(Comparator.comparingDouble(Unplaced::amount).reversed().thenComparingInt(Unplaced::tenant));
        unplaced.forEach(part -> place(part, headroom));
        for (int i = 0; i < network.tenants(); i++) {
            if (flows.routes(i) > 1) {
                merge(i, headroom);
            }
        }
    }

    /** Removes tenants with one route from overloaded places. */
    private void relieve() {
        double[] excess = new double[network.partitions()];
        boolean any = false;
        for (int k = 0; k < network.workers(); k++) {
            double level = WaterLevel.of(network, flows, k, goal);
            for (int j : network.partitionsOf(k)) {
                excess[j] = flows.load(j) - level * network.capacity(j);
                any |= excess[j] > epsilon;
            }
        }
        if (!any) {
            return;
        }
        List<List<Integer>> residents = residents(excess);
        for (int j = 0; j < excess.length; j++) {
            if (excess[j] > epsilon) {
                relieve(residents.get(j), excess[j]);
            }
        }
    }

    /** The tenants whose only route leads to an overloaded partition, by falling flow. */
    private List<List<Integer>> residents(double[] excess) {
        List<List<Integer>> residents = new ArrayList<>();
        for (double much : excess) {
            residents.add(much > epsilon ? new ArrayList<>() : List.of());
        }
        // Tenants are sorted by demand, and hence by its admitted part.
        for (int i = 0; i < network.tenants(); i++) {
            if (flows.routes(i) == 1 && excess[flows.partition(i, 0)] > epsilon && flows.flow(i, 0) > 0) {
                residents.get(flows.partition(i, 0)).add(i);
            }
        }
        return residents;
    }

    private void relieve(List<Integer> residents, double excess) {
        double left = excess;
        int smallestTooLarge = -1;
        for (int tenant : residents) {
            double flow = flows.flow(tenant, 0);
            if (flow > largestPlace()) {
                // It needs several partitions in any case.
                double part = Math.min(left, flow);
                take(tenant, part);
                left -= part;
            } else if (flow <= left) {
                take(tenant, flow);
                left -= flow;
            } else {
                smallestTooLarge = tenant;
            }
            if (left <= epsilon) {
                return;
            }
        }
        if (smallestTooLarge >= 0) {
            take(smallestTooLarge, flows.flow(smallestTooLarge, 0));
        }
    }

    /** The most of a tenant that one partition may take. */
    private double largestPlace() {
        return IntStream.range(0, network.partitions())
                .mapToDouble(goal::ofPartition)
                .max()
                .orElse(0);
    }

    private void take(int tenant, double amount) {
        flows.setFlow(tenant, 0, Math.max(0, flows.flow(tenant, 0) - amount));
        flows.removeBelow(tenant, epsilon);
    }

    private void findUnplaced() {
        for (int i = 0; i < network.tenants(); i++) {
            double missing = admitted[i] - flows.flow(i);
            if (missing > epsilon || flows.routes(i) == 0) {
                unplaced.add(new Unplaced(i, Math.max(0, missing)));
            }
        }
    }

    private void place(Unplaced part, Headroom headroom) {
        int tenant = part.tenant();
        changed[tenant] = true;
        double left = part.amount();
        for (int r = 0; r < flows.routes(tenant) && left > 0; r++) {
            int j = flows.partition(tenant, r);
            left -= put(tenant, j, Math.min(left, headroom.of(j)), headroom);
        }
        if (left <= epsilon && flows.routes(tenant) > 0) {
            return;
        }
        if (flows.routes(tenant) == 0) {
            int byHash = KeyHash.partition(network.tenant(tenant), network.partitions());
            if (network.isUsable(byHash) && headroom.of(byHash) + epsilon >= left) {
                put(tenant, byHash, left, headroom);
                return;
            }
        }
        while (true) {
            int best = headroom.best();
            double free = headroom.of(best);
            // Without headroom, the rest is a rounding error: it goes where it does the least harm.
            if (free + epsilon >= left || free <= epsilon) {
                put(tenant, best, left, headroom);
                return;
            }
            left -= put(tenant, best, free, headroom);
        }
    }

    private double put(int tenant, int partition, double amount, Headroom headroom) {
        if (amount < 0) {
            return 0;
        }
        flows.add(tenant, partition, amount);
        headroom.changed(partition);
        return amount;
    }

    /** Gives up routes whose flow fits on the tenant's other routes, the smallest first. */
    private void merge(int tenant, Headroom headroom) {
        for (int tries = flows.routes(tenant); tries > 0 && flows.routes(tenant) > 1; tries--) {
            int least = 0;
            for (int r = 1; r < flows.routes(tenant); r++) {
                least = flows.flow(tenant, r) < flows.flow(tenant, least) ? r : least;
            }
            if (!giveUp(tenant, least, headroom)) {
                return;
            }
            changed[tenant] = true;
        }
    }

    private boolean giveUp(int tenant, int route, Headroom headroom) {
        int partition = flows.partition(tenant, route);
        double flow = flows.flow(tenant, route);
        if (flow <= epsilon) {
            flows.remove(tenant, route);
            return true;
        }
        flows.setFlow(tenant, route, 0);
        headroom.changed(partition);
        double left = flow;
        double[] more = new double[flows.routes(tenant)];
        for (int r = 0; r < more.length; r++) {
            int j = flows.partition(tenant, r);
            if (r != route) {
                more[r] = Math.clamp(headroom.of(j), 0, left);
                flows.setFlow(tenant, r, flows.flow(tenant, r) + more[r]);
                headroom.changed(j);
                left -= more[r];
            }
        }
        boolean done = left <= epsilon;
        if (done) {
            flows.remove(tenant, route);
        } else {
            for (int r = 0; r < more.length; r++) {
                flows.setFlow(tenant, r, flows.flow(tenant, r) - more[r]);
                headroom.changed(flows.partition(tenant, r));
            }
            flows.setFlow(tenant, route, flow);
            headroom.changed(partition);
        }
        return done;
    }
}
