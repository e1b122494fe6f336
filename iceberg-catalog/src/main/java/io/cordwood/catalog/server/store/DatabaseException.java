package io.cordwood.catalog.server.store;

/** The catalog's database cannot be reached, or refused a statement. */
class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabaseException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
