package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where the traffic of each tenant is to go, and what follows from it. Immutable. Rates are in the unit of the input.
 *
 * @param tenants every tenant of the input, by falling demand
 * @param partitions flow through each partition, by rising number
 * @param workers flow through each worker, by name
 * @param demand what all tenants want to send
 * @param bound the most that can flow: the max-flow bound of the cluster
 * @param lambda the smallest utilisation at which the demand fits: demand over bound; above 1 it does not fit
 * @param utilisation the highest utilisation of a partition (of its capacity) or worker (of watermark times capacity)
 * @param scale by how much to grow, if the demand does not fit
 */
public record Plan(
        Map<String, TenantPlan> tenants,
        List<PartitionLoad> partitions,
        List<WorkerLoad> workers,
        double demand,
        double bound,
        double lambda,
        double utilisation,
        Optional<Scale> scale) {
    public Plan {
        tenants = Collections.unmodifiableMap(tenants);
        partitions = List.copyOf(partitions);
        workers = List.copyOf(workers);
    }

    /** The routes of each tenant, as a routing table has them. */
    public Map<String, List<Route>> routes() {
        Map<String, List<Route>> routes = LinkedHashMap.newLinkedHashMap(tenants.size());
        tenants.forEach((tenant, plan) -> routes.put(tenant, plan.routes()));
        return routes;
    }

    /** How many routes all tenants have together. */
    public int routeCount() {
        return tenants.values().stream().mapToInt(plan -> plan.routes().size()).sum();
    }

    /** How many tenants have other routes or weights than before. */
    public int changedTenants() {
        return (int) tenants.values().stream()
                .filter(plan -> plan.decision() != Decision.KEPT)
                .count();
    }

    /** What all tenants may send: the demand if it fits. */
    public double admitted() {
        return tenants.values().stream().mapToDouble(TenantPlan::admitted).sum();
    }

    /** Why a tenant has the routes it has, in one line; empty if the plan does not know it. */
    public Optional<String> reason(String tenant) {
        return Optional.ofNullable(tenants.get(tenant)).map(plan -> reason(tenant, plan));
    }

    private String reason(String tenant, TenantPlan plan) {
        int routes = plan.routes().size();
        String text = "%s has %d %s: %s".formatted(tenant, routes, routes == 1 ? "route" : "routes", why(plan));
        return plan.isLimited()
                ? text
                        + String.format(
                                Locale.ROOT,
                                "; of %.1f a second %.1f are admitted, since all tenants want %.2f times what fits",
                                plan.demand(),
                                plan.admitted(),
                                lambda)
                : text;
    }

    private String why(TenantPlan plan) {
        double largest =
                partitions.stream().mapToDouble(PartitionLoad::capacity).max().orElse(0);
        String share = String.format(
                Locale.ROOT,
                "it sends %.1f a second, %.2f of what the largest partition takes",
                plan.admitted(),
                largest > 0 ? plan.admitted() / largest : 0);
        return switch (plan.decision()) {
            case KEPT -> share + ", and its routes before still do";
            case PLACED -> share + ", and it had no route that leads anywhere";
            case REWEIGHTED -> share + ", and other weights on its partitions are enough";
            case MOVED -> share + ", and a partition or worker it used had too much";
            case SPLIT ->
                share
                        + String.format(
                                Locale.ROOT,
                                ", and its %d %s before had no room for it at a utilisation of %.2f",
                                plan.routesBefore(),
                                plan.routesBefore() == 1 ? "route" : "routes",
                                utilisation);
            case MERGED ->
                share + String.format(Locale.ROOT, ", and it no longer needs %d routes", plan.routesBefore());
        };
    }
}
