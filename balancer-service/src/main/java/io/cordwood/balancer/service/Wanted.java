package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What tenants want to send, where quotas hold some of them back and less is seen of them. Stateless. */
final class Wanted {
    private Wanted() {}

    /**
     * Demands as they would be without quotas, as far as anybody can know: a tenant that presses against its quota
     * wants at least what it wanted when it was held back. Else a quota would make its own reason vanish and be released, again and
     * again.
     *
     * @param seen what each tenant sends, bytes of values per second
     * @param held tenants with quotas of the balancer, and the most that each was seen to want
     * @param pressing whether a quota may be what holds a tenant back
     */
    static List<TenantDemand> of(List<TenantDemand> seen, Map<String, Double> held, Predicate<String> pressing) {
        return seen.stream()
                .map(demand -> {
                    Double before = held.get(demand.tenant());
                    return before != null && pressing.test(demand.tenant())
                            ? new TenantDemand(demand.tenant(), Math.max(before, demand.demand()))
                            : demand;
                })
                .toList();
    }
}
