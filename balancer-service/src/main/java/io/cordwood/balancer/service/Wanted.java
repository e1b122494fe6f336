package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What tenants want to send, where quotas hold some of them back and less is seen of them. Stateless. */
final class Wanted {
    /** A tenant that sends less of its quota is not held back by it any more. */
    private static final double PRESSING = 0.8;

    private Wanted() {}

    /**
     * Demands as they would be without quotas, as far as anybody can know: a tenant that sends what its quota lets through
     * wants at least what it wanted when it was held back. Else a quota would make its own reason vanish and be released, again and
     * again.
     *
     * @param seen what each tenant sends, bytes of values per second
     * @param held tenants with quotas of the balancer, and the most that each was seen to want
     * @param quotas bytes of values per second that may be sent, by tenant
     * @param settled whether what is seen of a tenant was sent under the quota that it has now. If not, it does not say whether that
     *     holds the tenant back
     */
    static List<TenantDemand> of(
            List<TenantDemand> seen, Map<String, Double> held, Map<String, Double> quotas, Predicate<String> settled) {
        return seen.stream()
                .map(demand -> {
                    Double before = held.get(demand.tenant());
                    Double quota = quotas.get(demand.tenant());
                    if (before == null || quota == null) {
                        return demand;
                    }
                    if (!settled.test(demand.tenant())) {
                        return new TenantDemand(demand.tenant(), before);
                    }
                    return demand.demand() >= PRESSING * quota
                            ? new TenantDemand(demand.tenant(), Math.max(before, demand.demand()))
                            : demand;
                })
                .toList();
    }
}
