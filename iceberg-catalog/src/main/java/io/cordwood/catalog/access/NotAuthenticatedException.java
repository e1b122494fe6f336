package io.cordwood.catalog.access;

/** A request without a good token. The message says what is wrong with it. */
public final class NotAuthenticatedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAuthenticatedException(String message) {
        super(message);
    }
}
