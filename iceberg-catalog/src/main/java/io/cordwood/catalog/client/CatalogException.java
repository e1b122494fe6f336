package io.cordwood.catalog.client;

/** The catalog service could not be reached, or refused a request. The message names the request and the reason. */
public class CatalogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    public CatalogException(int status, String problem) {
        super(problem);
        this.status = status;
    }

    public CatalogException(String problem, Throwable cause) {
        super(problem, cause);
        this.status = 0;
    }

    /** HTTP status of the response; 0 if there was none. */
    public int status() {
        return status;
    }
}
