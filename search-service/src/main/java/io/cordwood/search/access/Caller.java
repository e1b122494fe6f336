package io.cordwood.search.access;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.util.Optional;
import java.util.Set;

/**
 * The sender of a request under the access rules of one moment. It is asked before anything of a tenant is looked up: a
 * tenant that does not exist and one that is not granted get the same answer. Immutable.
 */
public final class Caller {
    private final String user;
    private final Optional<Token.Scope> scope;
    private final AccessRules rules;

    private Caller(String user, Optional<Token.Scope> scope, AccessRules rules) {
        this.user = requireNonNull(user, "user is null");
        this.scope = requireNonNull(scope, "scope is null");
        this.rules = requireNonNull(rules, "rules is null");
    }

    /** The bearer of a token: what both the user's grants and the token's scope allow. */
    static Caller of(Token token, AccessRules rules) {
        return new Caller(token.user(), token.scope(), rules);
    }

    /** Anybody, where no one has to log in. */
    static Caller anyone(AccessRules rules) {
        return new Caller("anyone", Optional.empty(), rules);
    }

    public String user() {
        return user;
    }

    /** Whether it sees every tenant, and the places of rows in Kafka. */
    public boolean isOperator() {
        return scope.isEmpty() && rules.isOperator(user);
    }

    /** Whether it reads a tenant's stream. */
    public boolean reads(String tenantId, String stream) {
        return scope.map(limit -> limit.tenant().equals(tenantId) && admits(limit.streams(), stream) && holds(limit))
                .orElseGet(() -> rules.sees(user, tenantId));
    }

    private static boolean admits(Set<String> streams, String stream) {
        return streams.isEmpty() || streams.contains(stream);
    }

    /** Whether the scope is one of reading, and the user still has the role that it names. */
    private boolean holds(Token.Scope limit) {
        return User.includes(Set.of(limit.role()), TenantRole.READER)
                && (rules.isOperator(user)
                        || rules.user(user)
                                .map(known -> known.has(limit.tenant(), limit.role()))
                                .orElse(false));
    }

    /** The tenants that it reads by its grants; an operator also reads others. */
    public Set<String> tenants() {
        return scope.map(limit -> holds(limit) ? Set.of(limit.tenant()) : Set.<String>of())
                .orElseGet(() -> rules.granted(user));
    }
}
