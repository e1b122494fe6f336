package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The routes of each tenant, and the loads that follow from them. Immutable. Rates are in the unit of the input.
 *
 * @param tenants every tenant of the input, by falling demand
 * @param partitions flow through each partition, by rising number
 * @param workers flow through each worker, by name
 * @param demand rate that all tenants together demand
 * @param bound the largest demand that fits: the joint capacity of workers and their partitions
 * @param lambda the smallest utilisation at which the demand fits: demand over bound; above 1 it does not fit
 * @param utilisation the highest utilisation of a partition (of its capacity) or worker (of watermark times capacity)
 * @param scale growth that the cluster needs if the demand does not fit
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

    /** The routes of each tenant, in the form of a routing table. */
    public Map<String, List<Route>> routes() {
        Map<String, List<Route>> routes = LinkedHashMap.newLinkedHashMap(tenants.size());
        tenants.forEach((tenant, plan) -> routes.put(tenant, plan.routes()));
        return routes;
    }

    /** Number of routes of all tenants together. */
    public int routeCount() {
        return tenants.values().stream().mapToInt(plan -> plan.routes().size()).sum();
    }

    /** Number of tenants with other routes or weights than before. */
    public int changedTenants() {
        return (int) tenants.values().stream()
                .filter(plan -> plan.decision() != Decision.KEPT)
                .count();
    }

    /** Rate that all tenants together may send: the demand if it fits. */
    public double admitted() {
        return tenants.values().stream().mapToDouble(TenantPlan::admitted).sum();
    }

    /** The reason for a tenant's routes, in one line; empty if the plan does not have the tenant. */
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
                                "; of %.1f a second %.1f are admitted, since all tenants together demand %.2f times what fits",
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
            case KEPT -> share + ", and its previous routes still suffice";
            case PLACED -> share + ", and it had no route to a partition with capacity";
            case REWEIGHTED -> share + ", and other weights on its partitions suffice";
            case MOVED -> share + ", and a partition or worker it used was overloaded";
            case SPLIT ->
                share
                        + String.format(
                                Locale.ROOT,
                                ", and its previous %d %s had no capacity for it at a utilisation of %.2f",
                                plan.routesBefore(),
                                plan.routesBefore() == 1 ? "route" : "routes",
                                utilisation);
            case MERGED ->
                share + String.format(Locale.ROOT, ", and it no longer needs %d routes", plan.routesBefore());
        };
    }
}
