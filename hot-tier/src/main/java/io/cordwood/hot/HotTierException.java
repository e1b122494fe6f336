package io.cordwood.hot;

/** The tail of a stream could not be read, or not within the limits. The message says why and what helps. */
public final class HotTierException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What kind of failure. */
    public enum Kind {
        /** Kafka did not answer in time, or refused. */
        UNAVAILABLE,
        /** Records are gone: retention removed them, or the topic was made anew. A new query does not need them. */
        GONE,
        /** The tail holds more than may be read. */
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
