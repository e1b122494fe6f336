package io.cordwood.record.token;

/** There are no rules of tokens for a record's time, so its right to its tenant cannot be decided. */
public final class TokenRulesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TokenRulesException(String message, Throwable cause) {
        super(message, cause);
    }
}
