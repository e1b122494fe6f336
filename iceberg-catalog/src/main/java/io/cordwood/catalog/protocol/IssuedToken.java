package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A new token. Immutable.
 *
 * @param id its id, by which it is revoked
 * @param token the secret, which the service cannot tell again
 * @param expires when it ends
 */
public record IssuedToken(String id, String token, Instant expires) {
    public IssuedToken {
        requireNonNull(id, "id is null");
        requireNonNull(token, "token is null");
        requireNonNull(expires, "expires is null");
    }

    /** Without the secret, so that none gets into a log. */
    @Override
    public String toString() {
        return "IssuedToken[id=%s, expires=%s]".formatted(id, expires);
    }
}
