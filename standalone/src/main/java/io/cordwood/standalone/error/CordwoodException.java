package io.cordwood.standalone.error;

import java.io.Serial;

/**
 * An error that the user can act on. A command prints its message as one line and exits with a non-zero code. The
 * cause, if any, goes to the log.
 */
public final class CordwoodException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public CordwoodException(String message) {
        super(message);
    }

    public CordwoodException(String message, Throwable cause) {
        super(message, cause);
    }
}
