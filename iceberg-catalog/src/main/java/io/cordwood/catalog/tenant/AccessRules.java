package io.cordwood.catalog.tenant;

import io.cordwood.identity.TenantRole;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The access rights of users to tenants at one point in time. Immutable.
 *
 * @param open whether every user is an operator: without authentication, until the registry has its first grant
 * @param users all users of the registry
 */
public record AccessRules(boolean open, List<User> users) {
    public AccessRules {
        users = List.copyOf(users);
    }

    /** Whether the user sees every tenant. */
    public boolean isOperator(String userName) {
        return open || user(userName).map(User::operator).orElse(false);
    }

    /** Whether the user reads this tenant's rows. */
    public boolean sees(String userName, String tenantId) {
        return open || user(userName).map(user -> user.sees(tenantId)).orElse(false);
    }

    /** Whether the user deletes this tenant's rows. */
    public boolean mayDelete(String userName, String tenantId) {
        return open
                || user(userName)
                        .map(user -> user.operator() || user.has(tenantId, TenantRole.DELETER))
                        .orElse(false);
    }

    /** The tenants whose rows the user reads by its grants; an operator also sees others. */
    public Set<String> granted(String userName) {
        return user(userName).map(User::tenants).orElse(Set.of());
    }

    /** The user of this name; empty if the registry has none. */
    public Optional<User> user(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst();
    }
}
