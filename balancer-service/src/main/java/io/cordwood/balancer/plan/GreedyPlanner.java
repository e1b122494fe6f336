package io.cordwood.balancer.plan;

import java.util.List;
import java.util.Set;

/**
 * The baseline: LogStore's Algorithm 2, one round of it. Thread-safe.
 *
 * <p>The largest tenant of each hot partition gets as many routes as its traffic is times {@code tenantLimit}, with
 * equal weights, to the partitions with the least load. If that adds no route, it gets one more: with the paper's
 * formula alone, a partition whose tenants are all small would stay hot.
 *
 * <p>New tenants go where the others' routes leave the most headroom.
 */
public final class GreedyPlanner implements Planner {
    private final double tenantLimit;

    /**
     * A planner.
     *
     * @param tenantLimit most of one tenant that one partition should carry, rows or bytes per second
     */
    public GreedyPlanner(double tenantLimit) {
        if (!(tenantLimit > 0)) {
            throw new IllegalArgumentException("The limit of a tenant must be above 0, but is " + tenantLimit);
        }
        this.tenantLimit = tenantLimit;
    }

    /** A planner whose limit for a tenant is the mean capacity of a partition. */
    public static GreedyPlanner of(Cluster cluster) {
        double mean = meanCapacity(new Network(cluster, List.of()));
        return new GreedyPlanner(mean > 0 ? mean : 1);
    }

    static double meanCapacity(Network network) {
        double sum = 0;
        int usable = 0;
        for (int j = 0; j < network.partitions(); j++) {
            sum += network.capacity(j);
            usable += network.isUsable(j) ? 1 : 0;
        }
        return usable == 0 ? 0 : sum / usable;
    }

    @Override
    public Plan plan(PlanInput input) {
        Network network = new Network(input.cluster(), input.demands());
        double[] amounts = network.demands();
        Assignment flows = Assignment.of(network, amounts, input.before());
        boolean[] changed = new boolean[network.tenants()];
        new Newcomers(network, flows).place(amounts, changed);
        schedule(network, flows, tenantLimit, changed);
        return new PlanBuilder(network, input.before()).build(flows, amounts, changed);
    }

    /** TrafficSchedule() of Algorithm 2. */
    static void schedule(Network network, Assignment flows, double tenantLimit, boolean[] changed) {
        Set<Integer> hot = new HotSpots(network, flows).tenants();
        Headroom headroom = new Headroom(network, flows, Goal.even(network, 1));
        for (int tenant : hot) {
            int routes = flows.routes(tenant);
            int requested = Math.max(routes + 1, (int) Math.ceil(network.demand(tenant) / tenantLimit));
            for (int n = routes; n < Math.min(requested, network.partitions()); n++) {
                int least = leastLoaded(network, flows, headroom, tenant);
                if (least < 0) {
                    break;
                }
                flows.add(tenant, least, 0);
            }
            double equal = network.demand(tenant) / flows.routes(tenant);
            for (int r = 0; r < flows.routes(tenant); r++) {
                flows.setFlow(tenant, r, equal);
                headroom.changed(flows.partition(tenant, r));
            }
            changed[tenant] = true;
        }
    }

    /** GreedyFindLeastLoad(P): the partition with the most headroom that the tenant does not use yet. */
    private static int leastLoaded(Network network, Assignment flows, Headroom headroom, int tenant) {
        int best = -1;
        for (int j = 0; j < network.partitions(); j++) {
            if (network.isUsable(j) && !flows.goesTo(tenant, j) && (best < 0 || headroom.of(j) > headroom.of(best))) {
                best = j;
            }
        }
        return best;
    }
}
