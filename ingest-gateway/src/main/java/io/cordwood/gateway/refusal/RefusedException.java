package io.cordwood.gateway.refusal;

import java.time.Duration;
import java.util.Optional;

/** A request that the gateway does not take. The message says what is wrong, where, and what to do. */
public sealed class RefusedException extends RuntimeException permits RowTooLargeException {
    private static final long serialVersionUID = 1;
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Why, with the HTTP status that says so. */
    public enum Reason {
        MALFORMED(400),
        UNAUTHENTICATED(401),
        FORBIDDEN(403),
        NOT_FOUND(404),
        METHOD_NOT_ALLOWED(405),
        TOO_SLOW(408),
        TOO_LARGE(413),
        UNSUPPORTED(415),
        OVER_QUOTA(429),
        TOO_BUSY(429),
        FAILED(500),
        UNAVAILABLE(503);

        private final int status;

        Reason(int status) {
            this.status = status;
        }

        /** The HTTP status. */
        public int status() {
            return status;
        }
    }

    private final Reason reason;
    private final Duration retryAfter;

    public RefusedException(Reason reason, String message) {
        this(reason, message, RETRY, null);
    }

    private RefusedException(Reason reason, String message, Duration retryAfter, Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    /** A request that cannot be read as what it says it is. */
    public static RefusedException malformed(String message) {
        return new RefusedException(Reason.MALFORMED, message);
    }

    /** A request that may be sent again after this time, rounded up to seconds. */
    public static RefusedException overQuota(String message, Duration retryAfter) {
        return new RefusedException(Reason.OVER_QUOTA, message, retryAfter, null);
    }

    /** A request that may be sent again when Kafka or the catalog service is back. */
    public static RefusedException unavailable(String message, Throwable cause) {
        return new RefusedException(Reason.UNAVAILABLE, message, RETRY, cause);
    }

    public Reason reason() {
        return reason;
    }

    /** When the same request may be taken; empty if never. */
    public Optional<Duration> retryAfter() {
        return switch (reason) {
            case OVER_QUOTA, TOO_BUSY, UNAVAILABLE -> Optional.of(retryAfter);
            default -> Optional.empty();
        };
    }
}
