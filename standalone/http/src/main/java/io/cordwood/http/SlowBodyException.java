package io.cordwood.http;

import java.time.Duration;

/** Thrown for a request whose body does not come to its end. */
public final class SlowBodyException extends RefusedBodyException {
    private static final long serialVersionUID = 1;

    SlowBodyException(Duration limit) {
        super(408, "The body of the request did not come within %d s".formatted(limit.toSeconds()));
    }
}
