package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a token. Immutable.
 *
 * @param scope the only tenant and role that it is good for; empty: all that the user may do
 * @param life from its issue to its end; empty: the service's default
 */
public record TokenRequest(Optional<Token.Scope> scope, Optional<Duration> life) {
    /** All that the user may do, for the service's default time. */
    public static final TokenRequest DEFAULT = new TokenRequest(Optional.empty(), Optional.empty());

    public TokenRequest {
        requireNonNull(scope, "scope is null");
        requireNonNull(life, "life is null");
    }

    /** A token for one role in one tenant, for the service's default time. */
    public static TokenRequest of(String tenant, TenantRole role) {
        return new TokenRequest(Optional.of(new Token.Scope(tenant, role, Set.of())), Optional.empty());
    }
}
