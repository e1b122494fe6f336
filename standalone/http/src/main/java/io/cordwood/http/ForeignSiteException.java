package io.cordwood.http;

/** A request that comes from the page of another site, or by a name that is not the service's. */
public final class ForeignSiteException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;

    /**
     * @param status HTTP status
     * @param code the error's name for programs
     */
    ForeignSiteException(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }
}
