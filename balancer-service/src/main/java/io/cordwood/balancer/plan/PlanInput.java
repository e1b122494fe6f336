package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a plan depends on. Immutable if the owner of {@code before} does not change it.
 *
 * @param cluster partitions and workers
 * @param demands rate that each tenant demands, each tenant once; the order does not matter
 * @param before the routes in force; a tenant that is absent is new. Tenants without a demand are dropped
 */
public record PlanInput(Cluster cluster, List<TenantDemand> demands, Map<String, List<Route>> before) {
    public PlanInput {
        demands = List.copyOf(demands);
        Set<String> tenants = HashSet.newHashSet(demands.size());
        for (TenantDemand demand : demands) {
            if (!tenants.add(demand.tenant())) {
                throw new IllegalArgumentException("Tenant '%s' has two demands".formatted(demand.tenant()));
            }
        }
    }
}
