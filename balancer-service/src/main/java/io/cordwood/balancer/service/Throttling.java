package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.TenantPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * Who is held back, so that tenants keep to the shares of a plan. Immutable.
 *
 * <p>As long as not all fits, nobody's quota is taken away: one that sends less than its share does not feel it, and
 * one that was only silent for a while finds it there when it comes back. Who is held but wants less than the largest
 * share may send as much as that: what is remembered of what it wants may be too little, and its quota, of a time when
 * others wanted more, would keep it from showing so.
 *
 * @param wanted tenants that are held, and the most that each was seen to want, bytes of values per second
 * @param quotas what they may send, bytes per second as sent
 * @param released tenants whose quotas are to be taken away
 */
record Throttling(Map<String, Double> wanted, Map<String, Double> quotas, List<String> released) {
    static final Throttling NONE = new Throttling(Map.of(), Map.of(), List.of());

    /** Quotas that differ by less stay. */
    private static final double SAME = 0.05;

    Throttling {
        wanted = Map.copyOf(wanted);
        quotas = Map.copyOf(quotas);
        released = List.copyOf(released);
    }

    /**
     * What follows from a plan.
     *
     * @param before who is held, as {@link #wanted}
     * @param inForce all quotas, bytes per second as sent; those of tenants that are not held were set by others and
     *     stay
     * @param sentForAByte bytes that are sent for a byte of values; empty if not known yet
     * @param stays tenants that are not let go yet, even if all fits
     */
    static Throttling of(
            Plan plan,
            Map<String, Double> before,
            Map<String, Double> inForce,
            OptionalDouble sentForAByte,
            Predicate<String> stays) {
        Map<String, Double> wanted = new HashMap<>();
        Map<String, Double> quotas = new HashMap<>();
        double level = level(plan);
        before.forEach((tenant, most) -> {
            if (inForce.containsKey(tenant) && (plan.scale().isPresent() || stays.test(tenant))) {
                double quota = inForce.get(tenant);
                wanted.put(tenant, most);
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
                wanted.put(tenant, share.demand());
                // Quotas of a leader before stay until it is known what is sent for a byte.
                if (!ours || sentForAByte.isPresent()) {
                    double quota = quota(share.admitted(), sentForAByte.orElse(1));
                    quotas.put(tenant, ours ? changed(inForce.getOrDefault(tenant, 0.0), quota) : quota);
                }
            }
        });
        List<String> released = before.keySet().stream()
                .filter(tenant -> !wanted.containsKey(tenant))
                .toList();
        return new Throttling(wanted, quotas, released);
    }

    /** What anybody may send of what does not fit; 0 if all fits. */
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

    /** Everybody let go. */
    static Throttling release(Map<String, Double> before) {
        return new Throttling(Map.of(), Map.of(), List.copyOf(before.keySet()));
    }

    /** The quotas that are not in force yet. */
    Map<String, Double> news(Map<String, Double> inForce) {
        Map<String, Double> news = new HashMap<>(quotas);
        news.entrySet().removeIf(quota -> quota.getValue().equals(inForce.get(quota.getKey())));
        return news;
    }

    /** Who is remembered to be held, and whoever has the very quota that this says, in case that was forgotten. */
    Map<String, Double> remind(Map<String, Double> remembered, Map<String, Double> inForce) {
        Map<String, Double> held = new HashMap<>(remembered);
        quotas.forEach((tenant, quota) -> {
            if (quota.equals(inForce.get(tenant))) {
                held.putIfAbsent(tenant, wanted.get(tenant));
            }
        });
        return held;
    }
}
