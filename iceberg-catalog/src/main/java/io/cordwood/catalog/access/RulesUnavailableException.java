package io.cordwood.catalog.access;

/** A request whose token cannot be checked now, because the catalog service does not answer. */
public final class RulesUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RulesUnavailableException() {
        super("Tokens cannot be checked now, because the catalog service does not answer: try again later");
    }
}
