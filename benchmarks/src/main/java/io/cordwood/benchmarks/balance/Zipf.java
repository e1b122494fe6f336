package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.KeyHash;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.routing.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tenants whose demand is proportional to (1/k)^theta (LogStore, section 6.1). */
final class Zipf {
    private Zipf() {}

    static List<TenantDemand> demands(int tenants, double theta, double total) {
        double[] weights = new double[tenants];
        double sum = 0;
        for (int i = 0; i < tenants; i++) {
            weights[i] = Math.pow(i + 1, -theta);
            sum += weights[i];
        }
        List<TenantDemand> demands = new ArrayList<>(tenants);
        for (int i = 0; i < tenants; i++) {
            demands.add(new TenantDemand("tenant-%06d".formatted(i), total * weights[i] / sum));
        }
        return demands;
    }

    /** The partitions of these tenants without a plan: by the hash of the key. */
    static Map<String, List<Route>> byHash(List<TenantDemand> demands, int partitions) {
        Map<String, List<Route>> routes = HashMap.newHashMap(demands.size());
        for (TenantDemand demand : demands) {
            routes.put(demand.tenant(), List.of(new Route(KeyHash.partition(demand.tenant(), partitions), 1)));
        }
        return routes;
    }
}
