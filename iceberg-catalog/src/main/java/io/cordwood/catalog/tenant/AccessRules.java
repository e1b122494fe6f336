package io.cordwood.catalog.tenant;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The access rights of users to tenants at one point in time. Immutable.
 *
 * @param open whether the registry has no grant yet, so that every user is an operator
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

    /** Whether the user sees this tenant. */
    public boolean sees(String userName, String tenantId) {
        return open || user(userName).map(user -> user.sees(tenantId)).orElse(false);
    }

    /** Whether the user may delete rows of this tenant. */
    public boolean mayDelete(String userName, String tenantId) {
        return sees(userName, tenantId);
    }

    /** The tenants granted to the user; an operator also sees others. */
    public Set<String> granted(String userName) {
        return user(userName).map(user -> Set.copyOf(user.tenants())).orElse(Set.of());
    }

    private Optional<User> user(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst();
    }
}
