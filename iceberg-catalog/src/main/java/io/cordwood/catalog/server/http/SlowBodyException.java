package io.cordwood.catalog.server.http;

import java.time.Duration;

/** Thrown for a request whose body does not come to its end. */
final class SlowBodyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SlowBodyException(Duration limit) {
        super("The body of the request did not come within %d s".formatted(limit.toSeconds()), null, false, false);
    }
}
