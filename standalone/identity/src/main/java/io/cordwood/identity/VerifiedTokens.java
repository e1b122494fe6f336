package io.cordwood.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;

/**
 * Checks who issued the tokens of requests, and keeps what it found, for a signature takes about as long as a small
 * request. A token is checked again once the keys are others. Thread-safe.
 */
public final class VerifiedTokens {
    private static final int KEPT = 1024;

    /** A token's claims, and the keys that verified it. */
    private record Verified(PublicKeys keys, Token token) {}

    private final Cache<String, Verified> kept =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    public VerifiedTokens() {}

    /**
     * The claims of a token.
     *
     * @param keys the keys of now
     * @param compact the token as sent
     * @throws InvalidTokenException as {@link PublicKeys#verify}
     */
    public Token verify(PublicKeys keys, String compact) throws InvalidTokenException {
        Verified known = kept.getIfPresent(compact);
        if (known == null || !known.keys().equals(keys)) {
            known = new Verified(keys, keys.verify(compact, Audience.REQUESTS));
            kept.put(compact, known);
        }
        return known.token();
    }

    /**
     * The claims of the token of a request that is made now.
     *
     * @param rules the rules of now
     * @param compact the token as sent
     * @throws InvalidTokenException as {@link PublicKeys#verify} and {@link TokenRules#requireGood}
     */
    public Token verify(TokenRules rules, String compact, Instant now) throws InvalidTokenException {
        Token token = verify(rules.keys(), compact);
        rules.requireGood(token, now);
        return token;
    }
}
