package io.cordwood.trino.login;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import io.cordwood.identity.VerifiedTokens;
import io.cordwood.trino.security.Viewer;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.BasicPrincipal;
import java.security.Principal;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who a token stands for at Trino. Only tokens of a whole user are good for a login: Trino knows a user by name alone,
 * so a token that is limited to a tenant would see all that its user sees. Thread-safe.
 */
final class TokenLogin {
    private final VerifiedTokens tokens = new VerifiedTokens();
    private final Supplier<Optional<TokenRules>> rules;
    private final Clock clock;

    /** @param rules the rules of now; empty if they are not known, when no token is good */
    TokenLogin(Supplier<Optional<TokenRules>> rules, Clock clock) {
        this.rules = requireNonNull(rules, "rules is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * The user of a token.
     *
     * @throws AccessDeniedException if the token is not good, or not for a login
     */
    Principal login(String token) {
        Token claims = verified(token);
        if (claims.service().isPresent()) {
            throw new AccessDeniedException("The token is of a service: log in with a token of a person");
        }
        if (claims.scope().isPresent()) {
            throw new AccessDeniedException(
                    "The token is limited to tenant '%s': log in to Trino with a token without a limit, of a user who has this grant alone"
                            .formatted(claims.scope().get().tenant()));
        }
        if (claims.user().isEmpty() || Viewer.isViewOwner(claims.user())) {
            throw new AccessDeniedException("The token's user cannot log in to Trino");
        }
        return new BasicPrincipal(claims.user());
    }

    /**
     * The user of a token, who must have this name.
     *
     * @throws AccessDeniedException as {@link #login(String)}, and if the token is of another user
     */
    Principal login(String user, String token) {
        Principal principal = login(token);
        if (!principal.getName().equals(user)) {
            throw new AccessDeniedException("The token is of another user");
        }
        return principal;
    }

    private Token verified(String token) {
        TokenRules known = rules.get()
                .orElseThrow(() -> new AccessDeniedException(
                        "Tokens cannot be checked now, because the catalog service does not answer: try again later"));
        try {
            return tokens.verify(known, token, clock.instant());
        } catch (InvalidTokenException e) {
            throw new AccessDeniedException(e.getMessage());
        }
    }
}
