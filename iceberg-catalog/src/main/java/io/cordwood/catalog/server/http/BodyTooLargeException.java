package io.cordwood.catalog.server.http;

/** Thrown for a request whose body is larger than its route accepts. */
final class BodyTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BodyTooLargeException(long limit) {
        // No stack trace: a flood of large bodies must not cost more than good ones.
        super("The body is larger than the %d bytes that this endpoint accepts".formatted(limit), null, false, false);
    }
}
