package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.TenantPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The throttled tenants and their quotas, which hold them to the shares of a plan. Immutable.
 *
 * <p>While the demand does not fit, no quota is removed: a tenant that sends less than its share does not notice it,
 * and a tenant that was silent for a while still has it when it returns. A throttled tenant whose demand is below the
 * largest share may send as much as that share: its stored demand may be too low, and a quota from a time with more
 * competing demand would hide that.
 *
 * @param demands throttled tenants with the highest observed demand of each, bytes of values per second
 * @param quotas their limits, bytes per second as sent
 * @param released tenants whose quotas are to be removed
 */
record Throttling(Map<String, Double> demands, Map<String, Double> quotas, List<String> released) {
    static final Throttling NONE = new Throttling(Map.of(), Map.of(), List.of());

    /** Quotas that differ by less stay. */
    private static final double SAME = 0.05;

    Throttling {
        demands = Map.copyOf(demands);
        quotas = Map.copyOf(quotas);
        released = List.copyOf(released);
    }

    /**
     * Derives quotas from a plan.
     *
     * @param before throttled tenants until now, as {@link #demands}
     * @param inForce all quotas, bytes per second as sent; quotas of tenants that are not throttled have another origin
     *     and stay
     * @param sentForAByte bytes sent per byte of values; empty if not known yet
     * @param stays tenants that are not released yet, even if the demand fits
     */
    static Throttling of(
            Plan plan,
            Map<String, Double> before,
            Map<String, Double> inForce,
            OptionalDouble sentForAByte,
            Predicate<String> stays) {
        Map<String, Double> demands = new HashMap<>();
        Map<String, Double> quotas = new HashMap<>();
        double level = level(plan);
        before.forEach((tenant, most) -> {
            if (inForce.containsKey(tenant) && (plan.scale().isPresent() || stays.test(tenant))) {
                double quota = inForce.get(tenant);
                demands.put(tenant, most);
                quotas.put(
                        tenant,
                        sentForAByte.isPresent()
                                ? Math.max(quota, changed(quota, quota(level, sentForAByte.getAsDouble())))
                                : quota);
            }
        });
        plan.tenants().forEach((tenant, share) -> {
            boolean ours = before.containsKey(tenant);
            if (share.isLimited() && (ours || !inForce.containsKey(tenant))) {
                demands.put(tenant, share.demand());
                // Quotas of a previous leader stay until the bytes sent per byte of values are known.
                if (!ours || sentForAByte.isPresent()) {
                    double quota = quota(share.admitted(), sentForAByte.orElse(1));
                    quotas.put(tenant, ours ? changed(inForce.getOrDefault(tenant, 0.0), quota) : quota);
                }
            }
        });
        List<String> released = before.keySet().stream()
                .filter(tenant -> !demands.containsKey(tenant))
                .toList();
        return new Throttling(demands, quotas, released);
    }

    /** The largest share of any tenant if the demand does not fit; 0 if it fits. */
    private static double level(Plan plan) {
        return plan.tenants().values().stream()
                .filter(TenantPlan::isLimited)
                .mapToDouble(TenantPlan::admitted)
                .max()
                .orElse(0);
    }

    private static double quota(double share, double sentForAByte) {
        return Math.max(1, Math.floor(share * sentForAByte));
    }

    private static double changed(double inForce, double quota) {
        return Math.abs(inForce - quota) > SAME * inForce ? quota : inForce;
    }

    /** Releases all tenants. */
    static Throttling release(Map<String, Double> before) {
        return new Throttling(Map.of(), Map.of(), List.copyOf(before.keySet()));
    }

    /** The quotas that are not in force yet. */
    Map<String, Double> news(Map<String, Double> inForce) {
        Map<String, Double> news = new HashMap<>(quotas);
        news.entrySet().removeIf(quota -> quota.getValue().equals(inForce.get(quota.getKey())));
        return news;
    }

    /** The stored tenants, and those whose quota in force is exactly the one here, in case the store lost them. */
    Map<String, Double> remind(Map<String, Double> remembered, Map<String, Double> inForce) {
        Map<String, Double> held = new HashMap<>(remembered);
        quotas.forEach((tenant, quota) -> {
            if (quota.equals(inForce.get(tenant))) {
                held.putIfAbsent(tenant, demands.get(tenant));
            }
        });
        return held;
    }
}
