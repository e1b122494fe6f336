package io.cordwood.standalone.error;

import java.io.Serial;

/**
 * Something the user can act on: its message is the one line that a command prints before it ends with a non-zero
 * code. The cause, if any, goes to the log.
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
