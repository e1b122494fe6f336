package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The demand of tenants, including throttled ones whose observed traffic is less. Stateless. */
final class UnthrottledDemand {
    private UnthrottledDemand() {}

    /**
     * Estimates the demands without quotas. A tenant that presses against its quota has at least the demand that it had
     * when it was throttled. Otherwise a quota would remove its own reason and be released, again and again.
     *
     * <p>Where more arrives than is consumed, the division of the surplus among tenants is estimated from the consumed
     * traffic. Throttled tenants cannot cause that surplus, so for them the consumed traffic counts.
     *
     * @param seen rate that each tenant sends, bytes of values per second
     * @param taken consumed rate of each tenant; absent if none
     * @param held tenants with quotas of the balancer, and the highest observed demand of each
     * @param pressing whether a quota may limit a tenant
     */
    static List<TenantDemand> of(
            List<TenantDemand> seen, Map<String, Double> taken, Map<String, Double> held, Predicate<String> pressing) {
        return seen.stream()
                .map(demand -> held.containsKey(demand.tenant())
                        ? new TenantDemand(
                                demand.tenant(),
                                Math.max(
                                        taken.getOrDefault(demand.tenant(), 0.0),
                                        pressing.test(demand.tenant()) ? held.get(demand.tenant()) : 0))
                        : demand)
                .toList();
    }
}
