package io.cordwood.catalog.server.http;

/** Thrown when the bodies of other requests take all the memory that there is for them. */
final class BusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BusyException() {
        // No stack trace: a flood must not cost more than good requests.
        super("The service holds the bodies of too many requests: try again later", null, false, false);
    }
}
