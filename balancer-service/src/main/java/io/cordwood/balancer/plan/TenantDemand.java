package io.cordwood.balancer.plan;

import static java.util.Objects.requireNonNull;

/**
 * The rate that a tenant demands: f(K) of LogStore, section 4.1.1. Immutable.
 *
 * @param tenant tenant id
 * @param demand rows or bytes per second, the same unit as the capacities; 0 for a silent tenant
 */
public record TenantDemand(String tenant, double demand) {
    public TenantDemand {
        requireNonNull(tenant, "tenant is null");
        if (!(demand >= 0 && demand < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "The demand of tenant '%s' must be a number from 0, but is %s".formatted(tenant, demand));
        }
    }
}
