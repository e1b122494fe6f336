package io.cordwood.http;

/** Thrown for a request whose body is not read to its end. The message is for the client. */
public abstract sealed class RefusedBodyException extends RuntimeException
        permits BodyTooLargeException, BusyException, SlowBodyException {
    private static final long serialVersionUID = 1;

    private final int status;

    RefusedBodyException(int status, String message) {
        // No stack trace: a flood of refused bodies must not cost more than good ones.
        super(message, null, false, false);
        this.status = status;
    }

    /** Status of the response. */
    public int status() {
        return status;
    }
}
