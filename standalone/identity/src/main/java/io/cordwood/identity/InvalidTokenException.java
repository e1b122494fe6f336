package io.cordwood.identity;

/** Thrown for a token that was not issued by this lake, or is not good any more. The message never has the token. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1;

    public InvalidTokenException(String message) {
        // No stack trace: a flood of bad tokens must not cost more than good ones.
        super(message, null, false, false);
    }
}
