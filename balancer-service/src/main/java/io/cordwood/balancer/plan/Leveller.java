package io.cordwood.balancer.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Brings the flows of a plan below a utilisation, by as few changes as it finds. Not thread-safe.
 *
 * <p>In this order: other weights on routes that are there ({@link Reweighting}, a maximum flow); tenants with one
 * route leave partitions and workers that still have too much, the largest that suffice first, since these are the
 * fewest; what has no place then goes, the largest first, to its own partitions, else whole to where the most room is,
 * else in parts, which fill one partition after another. As the goal is at least the smallest possible utilisation, the
 * rooms hold all of it, and each part but the last fills a partition or a worker: a plan has fewer routes than tenants,
 * partitions and workers together.
 *
 * <p>Tenants with one route in a place that has room are only ever looked at as part of its load, so a long tail costs
 * little.
 */
final class Leveller {
    /** Shares of the total that do not matter. */
    private static final double DUST = 1e-10;

    private final Network network;
    private final Assignment flows;
    private final double[] admitted;
    private final Goal goal;
    private final boolean[] changed;
    private final double dust;
    private final List<Piece> homeless = new ArrayList<>();

    /** An amount of a tenant that has no place. */
    private record Piece(int tenant, double amount) {}

    /**
     * A leveller.
     *
     * @param flows the flows of the plan before; changed in place
     * @param admitted what each tenant sends
     * @param goal what to reach, at least the smallest possible utilisation
     * @param changed is set for tenants that get other routes
     */
    Leveller(Network network, Assignment flows, double[] admitted, Goal goal, boolean[] changed) {
        this.network = network;
        this.flows = flows;
        this.admitted = admitted;
        this.goal = goal;
        this.changed = changed;
        dust = DUST * Arrays.stream(admitted).sum();
    }

    void level() {
        new Reweighting(network, flows, admitted, goal, changed, dust).reweight();
        relieve();
        findHomeless();
        Headroom rooms = new Headroom(network, flows, goal);
        homeless.sort(Comparator.comparingDouble(Piece::amount).reversed().thenComparingInt(Piece::tenant));
        homeless.forEach(piece -> place(piece, rooms));
        for (int i = 0; i < network.tenants(); i++) {
            if (flows.routes(i) > 1) {
                merge(i, rooms);
            }
        }
    }

    /** Takes tenants with one route from where too much is. */
    private void relieve() {
        double[] excess = new double[network.partitions()];
        boolean any = false;
        for (int k = 0; k < network.workers(); k++) {
            double level = WaterLevel.of(network, flows, k, goal);
            for (int j : network.partitionsOf(k)) {
                excess[j] = flows.load(j) - level * network.capacity(j);
                any |= excess[j] > dust;
            }
        }
        if (!any) {
            return;
        }
        List<List<Integer>> residents = residents(excess);
        for (int j = 0; j < excess.length; j++) {
            if (excess[j] > dust) {
                relieve(residents.get(j), excess[j]);
            }
        }
    }

    /** The tenants whose only route leads to a partition with too much, by falling flow. */
    private List<List<Integer>> residents(double[] excess) {
        List<List<Integer>> residents = new ArrayList<>();
        for (double much : excess) {
            residents.add(much > dust ? new ArrayList<>() : List.of());
        }
        // Tenants are sorted by demand, hence by what of it is admitted.
        for (int i = 0; i < network.tenants(); i++) {
            if (flows.routes(i) == 1 && excess[flows.partition(i, 0)] > dust && flows.flow(i, 0) > 0) {
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
                // It takes several partitions anyway.
                double part = Math.min(left, flow);
                take(tenant, part);
                left -= part;
            } else if (flow <= left) {
                take(tenant, flow);
                left -= flow;
            } else {
                smallestTooLarge = tenant;
            }
            if (left <= dust) {
                return;
            }
        }
        if (smallestTooLarge >= 0) {
            take(smallestTooLarge, flows.flow(smallestTooLarge, 0));
        }
    }

    /** The most that one partition may take of a tenant. */
    private double largestPlace() {
        return IntStream.range(0, network.partitions())
                .mapToDouble(goal::ofPartition)
                .max()
                .orElse(0);
    }

    private void take(int tenant, double amount) {
        flows.setFlow(tenant, 0, Math.max(0, flows.flow(tenant, 0) - amount));
        flows.removeBelow(tenant, dust);
    }

    private void findHomeless() {
        for (int i = 0; i < network.tenants(); i++) {
            double missing = admitted[i] - flows.flow(i);
            if (missing > dust || flows.routes(i) == 0) {
                homeless.add(new Piece(i, Math.max(0, missing)));
            }
        }
    }

    private void place(Piece piece, Headroom rooms) {
        int tenant = piece.tenant();
        changed[tenant] = true;
        double left = piece.amount();
        for (int r = 0; r < flows.routes(tenant) && left > 0; r++) {
            int j = flows.partition(tenant, r);
            left -= put(tenant, j, Math.min(left, rooms.of(j)), rooms);
        }
        if (left <= dust && flows.routes(tenant) > 0) {
            return;
        }
        if (flows.routes(tenant) == 0) {
            int byHash = KeyHash.partition(network.tenant(tenant), network.partitions());
            if (network.isUsable(byHash) && rooms.of(byHash) + dust >= left) {
                put(tenant, byHash, left, rooms);
                return;
            }
        }
        while (true) {
            int best = rooms.best();
            double room = rooms.of(best);
            // Where no room is left, only rounding is: it goes to where the least harm is done.
            if (room + dust >= left || room <= dust) {
                put(tenant, best, left, rooms);
                return;
            }
            left -= put(tenant, best, room, rooms);
        }
    }

    private double put(int tenant, int partition, double amount, Headroom rooms) {
        if (amount < 0) {
            return 0;
        }
        flows.add(tenant, partition, amount);
        rooms.changed(partition);
        return amount;
    }

    /** Gives up routes whose flow the tenant's other routes have room for, the least first. */
    private void merge(int tenant, Headroom rooms) {
        for (int tries = flows.routes(tenant); tries > 0 && flows.routes(tenant) > 1; tries--) {
            int least = 0;
            for (int r = 1; r < flows.routes(tenant); r++) {
                least = flows.flow(tenant, r) < flows.flow(tenant, least) ? r : least;
            }
            if (!giveUp(tenant, least, rooms)) {
                return;
            }
            changed[tenant] = true;
        }
    }

    private boolean giveUp(int tenant, int route, Headroom rooms) {
        int partition = flows.partition(tenant, route);
        double flow = flows.flow(tenant, route);
        if (flow <= dust) {
            flows.remove(tenant, route);
            return true;
        }
        flows.setFlow(tenant, route, 0);
        rooms.changed(partition);
        double left = flow;
        double[] more = new double[flows.routes(tenant)];
        for (int r = 0; r < more.length; r++) {
            int j = flows.partition(tenant, r);
            if (r != route) {
                more[r] = Math.clamp(rooms.of(j), 0, left);
                flows.setFlow(tenant, r, flows.flow(tenant, r) + more[r]);
                rooms.changed(j);
                left -= more[r];
            }
        }
        boolean done = left <= dust;
        if (done) {
            flows.remove(tenant, route);
        } else {
            for (int r = 0; r < more.length; r++) {
                flows.setFlow(tenant, r, flows.flow(tenant, r) - more[r]);
                rooms.changed(flows.partition(tenant, r));
            }
            flows.setFlow(tenant, route, flow);
            rooms.changed(partition);
        }
        return done;
    }
}
