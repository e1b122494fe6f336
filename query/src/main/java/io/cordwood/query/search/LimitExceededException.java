package io.cordwood.query.search;

/** A question that needs more than its {@link ScanLimits} allow. The message names the limit. */
public final class LimitExceededException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The limit that was exceeded. */
    public enum Limit {
        TIME,
        BYTES
    }

    private final Limit limit;

    LimitExceededException(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    public Limit limit() {
        return limit;
    }
}
