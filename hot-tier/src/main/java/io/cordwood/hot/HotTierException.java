package io.cordwood.hot;

/** The hot rows of a stream could not be read, or not within the limits. The message names the cause and a remedy. */
public final class HotTierException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of failure. */
    public enum Kind {
        /** Kafka did not answer in time, or refused. */
        UNAVAILABLE,
        /** Records are gone: retention removed them, or the topic was recreated. A new query does not need them. */
        GONE,
        /** There are more hot rows than the limits allow. */
        TOO_LARGE
    }

    private final Kind kind;

    HotTierException(Kind kind, String message) {
        this(kind, message, null);
    }

    HotTierException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
