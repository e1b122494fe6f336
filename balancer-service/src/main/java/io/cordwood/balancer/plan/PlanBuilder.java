package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts a planner's flows into a {@link Plan}. */
final class PlanBuilder {
    /** Weights that differ by less are the same. */
    private static final double SAME_WEIGHT = 1e-9;

    private final Network network;
    private final Map<String, List<Route>> before;

    PlanBuilder(Network network, Map<String, List<Route>> before) {
        this.network = network;
        this.before = before;
    }

    /**
     * The plan of these flows.
     *
     * @param admitted the part of each tenant's demand that the flows carry
     * @param changed tenants whose routes come from the flows; the others keep their routes
     */
    Plan build(Assignment flows, double[] admitted, boolean[] changed) {
        Map<String, TenantPlan> tenants = LinkedHashMap.newLinkedHashMap(network.tenants());
        for (int i = 0; i < network.tenants(); i++) {
            List<Route> old = before.getOrDefault(network.tenant(i), List.of());
            List<Route> routes = changed[i] ? routes(flows, i) : old;
            tenants.put(
                    network.tenant(i),
                    new TenantPlan(network.demand(i), admitted[i], decision(old, routes), old.size(), routes));
        }
        double demand = network.totalDemand();
        double lambda = demand == 0 ? 0 : network.bound() > 0 ? demand / network.bound() : Double.POSITIVE_INFINITY;
        return new Plan(
                tenants,
                partitions(flows),
                workers(flows),
                demand,
                network.bound(),
                lambda,
                flows.utilisation(),
                lambda > 1 ? Optional.of(network.scale(demand)) : Optional.empty());
    }

    private List<Route> routes(Assignment flows, int tenant) {
        int count = flows.routes(tenant);
        double sum = flows.flow(tenant);
        List<Route> routes = new ArrayList<>(count);
        for (int r = 0; r < count; r++) {
            double weight = count == 1 ? 1 : sum > 0 ? flows.flow(tenant, r) / sum : 1.0 / count;
            routes.add(new Route(network.partitionNumber(flows.partition(tenant, r)), Math.min(1, weight)));
        }
        routes.sort(Comparator.comparingInt(Route::partition));
        return routes;
    }

    private Decision decision(List<Route> old, List<Route> routes) {
        if (routes.equals(old)) {
            return Decision.KEPT;
        }
        if (old.stream().noneMatch(this::leadsAnywhere)) {
            return Decision.PLACED;
        }
        if (routes.size() != old.size()) {
            return routes.size() > old.size() ? Decision.SPLIT : Decision.MERGED;
        }
        List<Route> sorted =
                old.stream().sorted(Comparator.comparingInt(Route::partition)).toList();
        Decision decision = Decision.KEPT;
        for (int r = 0; r < routes.size(); r++) {
            if (routes.get(r).partition() != sorted.get(r).partition()) {
                return Decision.MOVED;
            }
            if (Math.abs(routes.get(r).weight() - sorted.get(r).weight()) > SAME_WEIGHT) {
                decision = Decision.REWEIGHTED;
            }
        }
        return decision;
    }

    private boolean leadsAnywhere(Route route) {
        int j = network.partitionIndex(route.partition());
        return j >= 0 && network.isUsable(j);
    }

    private List<PartitionLoad> partitions(Assignment flows) {
        List<PartitionLoad> loads = new ArrayList<>(network.partitions());
        for (int j = 0; j < network.partitions(); j++) {
            int worker = network.workerOf(j);
            loads.add(new PartitionLoad(
                    network.partitionNumber(j),
                    worker == Network.NO_WORKER ? "" : network.worker(worker),
                    flows.load(j),
                    network.capacity(j)));
        }
        return loads;
    }

    private List<WorkerLoad> workers(Assignment flows) {
        List<WorkerLoad> loads = new ArrayList<>(network.workers());
        for (int k = 0; k < network.workers(); k++) {
            loads.add(new WorkerLoad(network.worker(k), flows.workerLoad(k), network.limit(k)));
        }
        return loads;
    }
}
