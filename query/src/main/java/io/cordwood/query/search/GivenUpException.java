package io.cordwood.query.search;

/** A question whose answer is no longer wanted, since its client has left. */
public final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public GivenUpException() {
        super("The client has left before its answer was ready");
    }
}
