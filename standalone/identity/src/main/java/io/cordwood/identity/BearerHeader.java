package io.cordwood.identity;

import java.util.Optional;

/** The header {@code Authorization} of a request that bears a token. Stateless. */
public final class BearerHeader {
    private static final String SCHEME = "Bearer ";

    private BearerHeader() {}

    /** The token in a header's value; empty if the header has another scheme. */
    public static Optional<String> token(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip())
                : Optional.empty();
    }
}
