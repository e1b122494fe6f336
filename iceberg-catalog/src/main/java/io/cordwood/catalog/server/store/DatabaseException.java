package io.cordwood.catalog.server.store;

/** The catalog's database cannot be reached, refused a statement, or is that of a newer program. */
class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabaseException(String problem) {
        super(problem);
    }

    DatabaseException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
