package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.Arrays;
import java.util.List;

/**
 * Cordwood's planner: levels the load, instead of only keeping it legal, with few routes and few changes. Thread-safe.
 *
 * <p>It goes beyond LogStore's Algorithm 3, whose maximum flow may fill one partition and leave its neighbour empty:
 * <ol>
 *   <li>The smallest utilisation lambda at which the demand fits is known at once. Every tenant may be routed to every
 *       partition, so lambda is the demand over the joint capacity of workers and their partitions. If the demand does
 *       not fit, the plan is for each tenant's max-min fair share.
 *   <li>The goal is {@code tolerance} above lambda, and at least {@code comfort}: below that, saving routes matters
 *       more than level load. If the previous plan is roughly within {@code keep} of the goal, it stays.
 *   <li>Otherwise {@link Leveller} makes the fewest changes that take the plan to the goal, or to the result of a
 *       greedy plan if that is lower.
 * </ol>
 */
public final class LevelPlanner implements Planner {
    private static final double DEFAULT_TOLERANCE = 0.02;
    private static final double DEFAULT_KEEP = 0.10;
    private static final double DEFAULT_COMFORT = 0.5;
    private static final double ROUNDING = 1 + 1e-7;

    private final double tolerance;
    private final double keep;
    private final double comfort;

    /**
     * A planner that aims at 2 % above the smallest utilisation, keeps plans within 10 % of it, and accepts a
     * utilisation of a half without levelling.
     */
    public LevelPlanner() {
        this(DEFAULT_TOLERANCE, DEFAULT_KEEP, DEFAULT_COMFORT);
    }

    /**
     * A planner.
     *
     * @param tolerance how far above the smallest utilisation a new plan may be, as a share of it; a larger value saves
     *     routes
     * @param keep how far above it the previous plan may be and still stay; at least {@code tolerance}
     * @param comfort utilisation up to which the load is not levelled, 0 to 1
     */
    public LevelPlanner(double tolerance, double keep, double comfort) {
        if (!(comfort >= 0 && comfort <= 1)) {
            throw new IllegalArgumentException("The comfortable utilisation must be from 0 to 1, but is " + comfort);
        }
        if (!(tolerance >= 0 && keep >= tolerance)) {
            throw new IllegalArgumentException(
                    "The tolerance must be at least 0 and at most the keep factor, but they are %s and %s"
                            .formatted(tolerance, keep));
        }
        this.tolerance = tolerance;
        this.keep = keep;
        this.comfort = comfort;
    }

    @Override
    public Plan plan(PlanInput input) {
        Network network = new Network(input.cluster(), input.demands());
        double[] admitted = FairShares.of(network.demands(), network.bound());
        Assignment flows = Assignment.of(network, admitted, input.before());
        boolean[] changed = new boolean[network.tenants()];
        if (network.bound() == 0) {
            placeByHash(network, input, flows, changed);
        } else {
            double lambda = Arrays.stream(admitted).sum() / network.bound();
            double goal = Math.max(comfort, lambda * (1 + tolerance));
            double limit = Math.min(1, goal * (1 + keep) / (1 + tolerance));
            if (hasLost(network, input, flows, changed) || flows.utilisation() > limit * ROUNDING) {
                goal = Math.min(Math.min(1, goal), greedyUtilisation(network, input));
                goal = Math.max(lambda, goal);
                new Leveller(network, flows, admitted, Goal.of(network, goal), changed).level();
            }
        }
        return new PlanBuilder(network, input.before()).build(flows, admitted, changed);
    }

    /**
     * Routes for a cluster without any capacity: existing routes stay, and new tenants go by the hash of their key.
     */
    private static void placeByHash(Network network, PlanInput input, Assignment flows, boolean[] changed) {
        for (int i = 0; i < network.tenants(); i++) {
            if (!input.before().containsKey(network.tenant(i))) {
                flows.add(i, KeyHash.partition(network.tenant(i), network.partitions()), 0);
                changed[i] = true;
            }
        }
    }

    /** Whether a tenant has no route, or one to a partition without capacity; marks the latter as changed. */
    private static boolean hasLost(Network network, PlanInput input, Assignment flows, boolean[] changed) {
        boolean any = false;
        for (int i = 0; i < network.tenants(); i++) {
            List<Route> routes = input.before().getOrDefault(network.tenant(i), List.of());
            changed[i] = routes.size() != flows.routes(i);
            any |= changed[i] || routes.isEmpty();
        }
        return any;
    }

    private static double greedyUtilisation(Network network, PlanInput input) {
        double[] amounts = network.demands();
        Assignment flows = Assignment.of(network, amounts, input.before());
        boolean[] changed = new boolean[network.tenants()];
        new Newcomers(network, flows).place(amounts, changed);
        GreedyPlanner.schedule(network, flows, GreedyPlanner.meanCapacity(network), changed);
        return flows.utilisation();
    }
}
