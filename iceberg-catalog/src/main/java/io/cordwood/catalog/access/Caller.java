package io.cordwood.catalog.access;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sender of a request under the access rules of one moment. It is asked before anything of a tenant is looked up: a
 * tenant that does not exist and one that is not granted get the same answer. Immutable.
 */
public final class Caller {
    /** Any caller of a service without authentication. */
    static final Caller ANYONE = new Caller(User.operator("anyone"), Set.of());

    private final User user;
    /** The only streams; empty for all. */
    private final Set<String> streams;

    private Caller(User user, Set<String> streams) {
        this.user = requireNonNull(user, "user is null");
        this.streams = Set.copyOf(streams);
    }

    /** The bearer of a token: what both the user's grants and the token's scope allow. */
    static Caller of(Token token, AccessRules rules) {
        User user = rules.open()
                ? User.operator(token.user())
                : rules.user(token.user()).orElseGet(() -> User.person(token.user(), Map.of()));
        return token.scope()
                .map(scope -> new Caller(user.limitedTo(scope), scope.streams()))
                .orElseGet(() -> new Caller(user, Set.of()));
    }

    public String user() {
        return user.name();
    }

    /** Whether it sees every tenant, and the places of rows in Kafka. */
    public boolean isOperator() {
        return user.operator();
    }

    /** Whether it reads a tenant's stream. */
    public boolean reads(String tenantId, String stream) {
        return user.sees(tenantId) && (streams.isEmpty() || streams.contains(stream));
    }

    /** Whether it ships rows of a tenant to a stream. */
    public boolean writes(String tenantId, String stream) {
        return (user.operator() || user.has(tenantId, TenantRole.WRITER))
                && (streams.isEmpty() || streams.contains(stream));
    }

    /** The tenants whose rows it ships by its grants; an operator also ships those of others. */
    public Set<String> writableTenants() {
        return user.grants().keySet().stream()
                .filter(tenant -> user.has(tenant, TenantRole.WRITER))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The tenants that it reads by its grants; an operator also reads others. */
    public Set<String> tenants() {
        return user.tenants();
    }
}
