package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Token;
import java.time.Instant;
import java.util.Optional;

/**
 * Who sent a request, as the service knows it. Immutable.
 *
 * @param user the user with its present grants
 * @param scope the only tenant and role that the token is good for
 * @param expires when the token ends; empty without authentication
 */
public record Bearer(User user, Optional<Token.Scope> scope, Optional<Instant> expires) {
    public Bearer {
        requireNonNull(user, "user is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(expires, "expires is null");
    }
}
