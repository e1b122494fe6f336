package io.cordwood.http;

/** Thrown for a request whose body is larger than its endpoint accepts. */
public final class BodyTooLargeException extends RefusedBodyException {
    private static final long serialVersionUID = 1;

    BodyTooLargeException(long limit) {
        super(413, "The body is larger than the %d bytes that this endpoint accepts".formatted(limit));
    }
}
