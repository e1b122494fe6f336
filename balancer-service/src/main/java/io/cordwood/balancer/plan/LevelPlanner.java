package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.Arrays;
import java.util.List;

/**
 * Cordwood's planner: load that is level and not merely legal, on few routes, with few changes. Thread-safe.
 *
 * <p>It goes beyond LogStore's Algorithm 3, whose maximum flow may fill one partition and leave its neighbour empty:
 * <ol>
 *   <li>The smallest utilisation lambda at which the demand fits is known at once: every tenant may be routed to every
 *       partition, so it is the demand over what workers and their partitions take together. If the demand does not
 *       fit, each tenant is admitted its max-min fair share, and the plan is made for that.
 *   <li>The goal is {@code tolerance} above lambda, and at least {@code comfort}: below that, load need not be level,
 *       and routes are saved. If the plan before is about within {@code keep} of that, it stays as it is.
 *   <li>Else {@link Leveller} changes as little as takes the plan to the goal, or to what a greedy plan would reach if
 *       that is less.
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
     * A planner that aims at 2 % above the smallest utilisation, leaves plans alone that are within 10 % of it, and
     * does not mind a utilisation of a half.
     */
    public LevelPlanner() {
        this(DEFAULT_TOLERANCE, DEFAULT_KEEP, DEFAULT_COMFORT);
    }

    /**
     * A planner.
     *
     * @param tolerance how far above the smallest utilisation a new plan may be, as a share of it; room that saves
     *     routes
     * @param keep how far above it the plan before may be and still stay; at least {@code tolerance}
     * @param comfort the utilisation up to which no load is made level, 0 to 1
     */
    public LevelPlanner(double tolerance, double keep, double comfort) {
        if (!(comfort >= 0 && comfort <= 1)) {
            throw new IllegalArgumentException("The comfortable utilisation is from 0 to 1, but is " + comfort);
        }
        if (!(tolerance >= 0 && keep >= tolerance)) {
            throw new IllegalArgumentException(
                    "The tolerance must be from 0 and at most what is kept, but they are %s and %s"
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
     * While no partition takes anything, routes stay where they are, and new tenants go where they would without any.
     */
    private static void placeByHash(Network network, PlanInput input, Assignment flows, boolean[] changed) {
        for (int i = 0; i < network.tenants(); i++) {
            if (!input.before().containsKey(network.tenant(i))) {
                flows.add(i, KeyHash.partition(network.tenant(i), network.partitions()), 0);
                changed[i] = true;
            }
        }
    }

    /** Whether a tenant has no route, or one that leads nowhere; marks the latter as changed. */
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
