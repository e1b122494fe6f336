package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.GreedyPlanner;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.LogStorePlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.routing.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The compared ways to control traffic. */
enum Control {
    /** Tenants stay in the partition of their key's hash. */
    NONE,
    /** LogStore's Algorithm 2. */
    GREEDY,
    /** LogStore's Algorithm 3. */
    MAXFLOW,
    /** Cordwood's. */
    LEVEL;

    /** Greedy plans need several rounds. A round without a change is the last one. */
    private static final int MOST_ROUNDS = 200;

    private Optional<Planner> planner(Cluster cluster) {
        return switch (this) {
            case NONE -> Optional.empty();
            case GREEDY -> Optional.of(GreedyPlanner.of(cluster));
            case MAXFLOW -> Optional.of(new LogStorePlanner());
            case LEVEL -> Optional.of(new LevelPlanner());
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** One round of Algorithm 1; without control, the unchanged routes. */
    Map<String, List<Route>> next(Cluster cluster, List<TenantDemand> demands, Map<String, List<Route>> before) {
        return planner(cluster)
                .map(planner ->
                        planner.plan(new PlanInput(cluster, demands, before)).routes())
                .orElse(before);
    }

    /** Rounds of Algorithm 1 until a round changes nothing. */
    Map<String, List<Route>> settle(Cluster cluster, List<TenantDemand> demands, Map<String, List<Route>> before) {
        Map<String, List<Route>> routes = before;
        Optional<Planner> planner = planner(cluster);
        for (int round = 0; round < MOST_ROUNDS && planner.isPresent(); round++) {
            Plan plan = planner.get().plan(new PlanInput(cluster, demands, routes));
            routes = plan.routes();
            if (plan.changedTenants() == 0) {
                break;
            }
        }
        return routes;
    }
}
