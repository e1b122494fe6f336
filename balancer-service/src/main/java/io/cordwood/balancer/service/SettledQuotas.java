package io.cordwood.balancer.service;

import java.util.HashMap;
import java.util.Map;

/**
 * Which quotas have not been raised for a while: what a tenant with such a quota is seen to send, it was allowed to send. Not
 * thread-safe.
 */
final class SettledQuotas {
    private final long settleMillis;
    private Map<String, Standing> standing = Map.of();

    /** A quota, and when it was raised last or first seen. */
    private record Standing(double quota, long sinceMillis) {}

    /** @param settleMillis how long after a quota was raised what is seen may be from before */
    SettledQuotas(long settleMillis) {
        this.settleMillis = settleMillis;
    }

    /** Takes note of the quotas in force. */
    void observe(Map<String, Double> inForce, long atMillis) {
        Map<String, Standing> now = new HashMap<>();
        inForce.forEach((tenant, quota) -> {
            Standing before = standing.get(tenant);
            now.put(
                    tenant,
                    new Standing(quota, before == null || quota > before.quota() ? atMillis : before.sinceMillis()));
        });
        standing = now;
    }

    /** Whether the tenant has a quota that was not raised for long enough. */
    boolean isSettled(String tenant, long atMillis) {
        Standing quota = standing.get(tenant);
        return quota != null && atMillis - quota.sinceMillis() >= settleMillis;
    }
}
