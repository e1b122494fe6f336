package io.cordwood.record;

import static java.util.Objects.requireNonNull;

/** Thrown for a record that cannot become rows. It belongs in the dead-letter topic, with the reason. */
public final class UndecodableRecordException extends Exception {
    /** The reason. The names are stable: they appear in the header {@code cordwood.error} and in metrics. */
    public enum Reason {
        /** Neither header nor key names a tenant, and there is no default. */
        MISSING_TENANT,
        /** The tenant id is longer than 128 bytes or not UTF-8. */
        INVALID_TENANT,
        /** The record's token does not let it name its tenant, or there is none. */
        FORBIDDEN_TENANT,
        /** There is no value. */
        EMPTY_VALUE,
        /** The value is not one JSON object. */
        MALFORMED_JSON,
        /** The value is not an OTLP logs export request. */
        MALFORMED_OTLP,
        /** Objects or arrays are nested too deeply. */
        TOO_DEEP,
        /** Flattened, the record would be many times its size. */
        TOO_LARGE,
        /** The record was not unpacked, because it would have taken too much memory. */
        UNPACKS_TOO_LARGE,
        /** The event time lies outside the tenant's acceptance window, and the window refuses such rows. */
        OUTSIDE_ACCEPTANCE_WINDOW,
        /** The decoder has a defect that this record shows. */
        DECODER_FAILED
    }

    private static final long serialVersionUID = 1;

    private final Reason reason;

    public UndecodableRecordException(Reason reason, String message) {
        // No stack trace: a producer of only undecodable records must not slow the job down.
        super(message, null, false, false);
        this.reason = requireNonNull(reason, "reason is null");
    }

    public Reason reason() {
        return reason;
    }
}
