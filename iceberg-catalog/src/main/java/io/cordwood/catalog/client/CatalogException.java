package io.cordwood.catalog.client;

/** The catalog service could not be reached, or refused a request. The message names the request and the reason. */
public class CatalogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String type;

    public CatalogException(int status, String problem) {
        this(status, "", problem);
    }

    /** @param type name of the error in the response; empty if it has none */
    CatalogException(int status, String type, String problem) {
        super(problem);
        this.status = status;
        this.type = type;
    }

    public CatalogException(String problem, Throwable cause) {
        super(problem, cause);
        this.status = 0;
        this.type = "";
    }

    /** HTTP status of the response; 0 if there was none. */
    public int status() {
        return status;
    }

    /** Name of the error in the response; empty if it has none. */
    String type() {
        return type;
    }
}
