package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What tenants want to send, where quotas hold some of them back and less is seen of them. Stateless. */
final class UnthrottledDemand {
    private UnthrottledDemand() {}

    /**
     * Demands as they would be without quotas, as far as anybody can know: a tenant that presses against its quota
     * wants at least what it wanted when it was held back. Else a quota would make its own reason vanish and be
     * released, again and again.
     *
     * <p>Where more arrives than is taken in, it is only guessed whose it is, by what is taken in. Held tenants can not
     * be those who send more and more, so of them what is taken in counts.
     *
     * @param seen what each tenant sends, bytes of values per second
     * @param taken what is taken in of each; not there if nothing
     * @param held tenants with quotas of the balancer, and the most that each was seen to want
     * @param pressing whether a quota may be what holds a tenant back
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
