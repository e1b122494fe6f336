package io.cordwood.catalog.tenant;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A user in the registry: a person with grants, an operator, or a service. Immutable.
 *
 * @param name the user's name in Trino and in the token
 * @param operator whether the user sees every tenant and may change the registry
 * @param service role of a service, which has neither grants nor the rights of an operator
 * @param grants by tenant id: what the user may do
 */
public record User(String name, boolean operator, Optional<ServiceRole> service, Map<String, Set<TenantRole>> grants) {
    private static final int MAX_NAME_LENGTH = 255;

    public User {
        requireNonNull(name, "name is null");
        requireNonNull(service, "service is null");
        if (name.isBlank()) {
            throw new IllegalArgumentException("User name is blank");
        }
        if (name.length() > MAX_NAME_LENGTH || name.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "A user name has at most %d characters and no control characters".formatted(MAX_NAME_LENGTH));
        }
        grants = copy(grants);
        if (service.isPresent() && (operator || !grants.isEmpty())) {
            throw new IllegalArgumentException("User '%s' is the service %s: it can be no operator and have no grants"
                    .formatted(name, service.get().label()));
        }
    }

    /** A person who reads and deletes rows of these tenants, or an operator. */
    public User(String name, boolean operator, Set<String> tenants) {
        this(
                name,
                operator,
                Optional.empty(),
                tenants.stream().collect(Collectors.toMap(tenant -> tenant, tenant -> Set.of(TenantRole.DELETER))));
    }

    /** A person with grants. */
    public static User person(String name, Map<String, Set<TenantRole>> grants) {
        return new User(name, false, Optional.empty(), grants);
    }

    /** An operator without grants, which it does not need. */
    public static User operator(String name) {
        return new User(name, true, Optional.empty(), Map.of());
    }

    /** The user of a service, named like its role. */
    public static User service(ServiceRole role) {
        return new User(role.label(), false, Optional.of(role), Map.of());
    }

    private static Map<String, Set<TenantRole>> copy(Map<String, Set<TenantRole>> grants) {
        Map<String, Set<TenantRole>> copy = new TreeMap<>();
        grants.forEach((tenant, roles) -> {
            if (!roles.isEmpty()) {
                copy.put(tenant, Set.copyOf(roles));
            }
        });
        return Map.copyOf(copy);
    }

    /** Whether a grant lets the user act in this role. To delete is also to read. */
    public boolean has(String tenantId, TenantRole role) {
        return includes(grants.getOrDefault(tenantId, Set.of()), role);
    }

    /** This user, as the bearer of a token with a limit: what both the grants and the limit allow. */
    public User limitedTo(Token.Scope scope) {
        boolean holds = operator || has(scope.tenant(), scope.role());
        return person(name, holds ? Map.of(scope.tenant(), Set.of(scope.role())) : Map.of());
    }

    /** Whether these roles let a user act in that role. */
    public static boolean includes(Set<TenantRole> granted, TenantRole role) {
        return granted.contains(role) || (role == TenantRole.READER && granted.contains(TenantRole.DELETER));
    }

    /** Whether the user reads this tenant's rows, once the registry has a grant. */
    public boolean sees(String tenantId) {
        return operator || has(tenantId, TenantRole.READER);
    }

    /** Ids of the tenants whose rows the user reads by its grants. */
    public Set<String> tenants() {
        return grants.keySet().stream()
                .filter(tenant -> has(tenant, TenantRole.READER))
                .collect(Collectors.toUnmodifiableSet());
    }
}
