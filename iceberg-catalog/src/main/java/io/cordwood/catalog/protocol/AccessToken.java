package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * A short-lived token of the token endpoint. Immutable.
 *
 * @param token the secret
 * @param life from now to its end
 */
public record AccessToken(String token, Duration life) {
    public AccessToken {
        requireNonNull(token, "token is null");
        requireNonNull(life, "life is null");
    }

    /** Without the secret, so that none gets into a log. */
    @Override
    public String toString() {
        return "AccessToken[life=%s]".formatted(life);
    }
}
