package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.server.store.RevocationClock;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Token;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Revokes tokens with what they depend on: users, grants and tenants. Thread-safe.
 *
 * <p>Every transaction that changes one of these, or issues a token, first calls {@link #begin}. So they run one after
 * the other, and no token is issued on the ground of what another transaction takes away.
 */
public final class Revocations {
    private final RevocationClock clock;

    public Revocations(RevocationClock clock) {
        this.clock = clock;
    }

    /** Lets the transaction wait for others that change users or tokens. Returns when its revocations begin. */
    public Instant begin(Connection connection) throws SQLException {
        return clock.advance(connection);
    }

    /** Revokes all tokens of a user. */
    void ofUser(Connection connection, String userName, Instant from) throws SQLException {
        revoke(connection, TokenStore.ofUser(connection, userName), from);
    }

    /** Revokes all tokens for one role in a tenant. */
    public void ofTenant(Connection connection, String tenantId, Instant from) throws SQLException {
        revoke(connection, TokenStore.ofTenant(connection, tenantId), from);
    }

    /**
     * Revokes what a user may not have any more. That is also all that an operator got for tokens of the OpenID
     * provider, when it was none yet.
     */
    void ofChange(Connection connection, Optional<User> before, User after, Instant from) throws SQLException {
        if (before.isPresent() && !before.get().service().equals(after.service())) {
            ofUser(connection, after.name(), from);
            return;
        }
        if (after.operator()) {
            TokenStore.revoke(connection, ExternalIds.ofUser(after.name()), from);
        }
        revoke(
                connection,
                TokenStore.ofUser(connection, after.name()).stream()
                        .filter(token ->
                                token.scope().map(scope -> !holds(after, scope)).orElse(false))
                        .toList(),
                from);
    }

    private static boolean holds(User user, Token.Scope scope) {
        return user.operator() || user.has(scope.tenant(), scope.role());
    }

    private static void revoke(Connection connection, List<RegisteredToken> tokens, Instant from) throws SQLException {
        for (RegisteredToken token : tokens) {
            if (token.revoked().isEmpty()) {
                TokenStore.revoke(connection, token.id(), from);
            }
        }
    }
}
