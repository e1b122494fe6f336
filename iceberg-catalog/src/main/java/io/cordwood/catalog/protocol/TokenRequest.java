package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.Audience;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a token. Immutable.
 *
 * @param audience what it is for
 * @param scope the only tenant and role that it is good for; empty: all that the user may do
 * @param life from its issue to its end; empty: the service's default
 */
public record TokenRequest(Audience audience, Optional<Token.Scope> scope, Optional<Duration> life) {
    /** All that the user may do, for the service's default time. */
    public static final TokenRequest DEFAULT = requests(Optional.empty(), Optional.empty());

    public TokenRequest {
        requireNonNull(audience, "audience is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(life, "life is null");
    }

    /** A token for requests. */
    public static TokenRequest requests(Optional<Token.Scope> scope, Optional<Duration> life) {
        return new TokenRequest(Audience.REQUESTS, scope, life);
    }

    /** A token for requests of one role in one tenant, for the service's default time. */
    public static TokenRequest of(String tenant, TenantRole role) {
        return requests(Optional.of(new Token.Scope(tenant, role, Set.of())), Optional.empty());
    }

    /** A token for records of a tenant, for the service's default time. */
    public static TokenRequest records(String tenant) {
        return new TokenRequest(
                Audience.RECORDS, Optional.of(new Token.Scope(tenant, TenantRole.WRITER, Set.of())), Optional.empty());
    }
}
