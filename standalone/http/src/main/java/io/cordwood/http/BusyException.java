package io.cordwood.http;

/** Thrown when the bodies of other requests take all the memory that there is for them. */
public final class BusyException extends RefusedBodyException {
    private static final long serialVersionUID = 1;

    BusyException() {
        super(503, "The service holds the bodies of too many requests: try again later");
    }
}
