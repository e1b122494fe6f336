package io.cordwood.catalog.tenant;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * A user in the registry. Immutable.
 *
 * @param name the user's name in Trino and in the token
 * @param operator whether the user sees every tenant and may change the registry
 * @param tenants ids of the tenants granted to the user
 */
public record User(String name, boolean operator, Set<String> tenants) {
    public User {
        requireNonNull(name, "name is null");
        if (name.isBlank()) {
            throw new IllegalArgumentException("User name is blank");
        }
        tenants = Set.copyOf(tenants);
    }

    /** Whether the user sees this tenant, once the registry has a grant. */
    public boolean sees(String tenantId) {
        return operator || tenants.contains(tenantId);
    }
}
