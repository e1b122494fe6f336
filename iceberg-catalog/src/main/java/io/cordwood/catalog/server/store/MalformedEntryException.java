package io.cordwood.catalog.server.store;

/** An entry of the database cannot be read, and must not be taken for a missing one. The message is for the client. */
public final class MalformedEntryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedEntryException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
