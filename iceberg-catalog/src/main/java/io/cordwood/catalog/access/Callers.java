package io.cordwood.catalog.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.identity.BearerHeader;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import io.cordwood.identity.VerifiedTokens;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds out who sends a request. Thread-safe. */
public final class Callers {
    private static final String BASIC = "Basic ";
    private static final String LOG_IN = "Send a token: Authorization: Bearer TOKEN";

    private final boolean isOpen;
    private final VerifiedTokens tokens = new VerifiedTokens();
    private final Supplier<Optional<TokenRules>> rules;
    private final Supplier<AccessRules> accessRules;
    private final Clock clock;

    Callers(boolean isOpen, Supplier<Optional<TokenRules>> rules, Supplier<AccessRules> accessRules, Clock clock) {
        this.isOpen = isOpen;
        this.rules = rules;
        this.accessRules = accessRules;
        this.clock = clock;
    }

    /** Callers of a service without authentication. */
    public static Callers open() {
        AccessRules none = new AccessRules(true, List.of());
        return new Callers(true, Optional::empty, () -> none, Clock.systemUTC());
    }

    /**
     * Callers with tokens of the lake; it reads the rules of tokens from now on.
     *
     * @param tokenRules asks the catalog service for them
     * @param accessRules what users may do now
     */
    public static Callers withTokens(Supplier<TokenRules> tokenRules, Supplier<AccessRules> accessRules) {
        Polled<TokenRules> polled = new Polled<>("rules of tokens", tokenRules).start();
        return new Callers(false, polled::get, accessRules, Clock.systemUTC());
    }

    /**
     * The caller.
     *
     * @param authorization value of the header of this name: a token as bearer, or as the password of Basic
     * @throws NotAuthenticatedException if it has no good token
     * @throws RulesUnavailableException if that cannot be checked now
     */
    public Caller caller(Optional<String> authorization) {
        if (isOpen) {
            return Caller.ANYONE;
        }
        String compact = authorization.flatMap(Callers::token).orElseThrow(() -> new NotAuthenticatedException(LOG_IN));
        Token token = verified(compact);
        if (token.service().isPresent() || token.user().isEmpty()) {
            throw new NotAuthenticatedException("The token is of a service: use the token of a person");
        }
        return Caller.of(token, accessRules.get());
    }

    private static Optional<String> token(String authorization) {
        return BearerHeader.token(authorization).or(() -> password(authorization));
    }

    /**
     * A header with the same token as bearer, for services that take tokens in no other way. A header without a token
     * stays as it is.
     */
    public static String asBearer(String authorization) {
        return token(authorization).map(token -> "Bearer " + token).orElse(authorization);
    }

    /** The password of Basic authentication, for clients that know nothing else; the user's name is the token's. */
    private static Optional<String> password(String authorization) {
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return Optional.empty();
        }
        try {
            String pair = new String(
                    Base64.getDecoder()
                            .decode(authorization.substring(BASIC.length()).strip()),
                    UTF_8);
            return Optional.of(pair.substring(pair.indexOf(':') + 1));
        } catch (IllegalArgumentException e) {
            throw new NotAuthenticatedException("The header Authorization is malformed");
        }
    }

    private Token verified(String compact) {
        TokenRules known = rules.get().orElseThrow(RulesUnavailableException::new);
        try {
            return tokens.verify(known, compact, clock.instant());
        } catch (InvalidTokenException e) {
            throw new NotAuthenticatedException(e.getMessage());
        }
    }
}
