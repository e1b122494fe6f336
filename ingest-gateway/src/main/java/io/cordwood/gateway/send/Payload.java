package io.cordwood.gateway.send;

import static java.util.Objects.requireNonNull;

/**
 * The value of one record. Immutable, the value by convention.
 *
 * @param value rows as the format says
 * @param format how they are written
 * @param rows their number
 */
@SuppressWarnings("ArrayRecordComponent") // Handed to Kafka's client without a copy
public record Payload(byte[] value, Format format, int rows) {
    /** How the rows of a record are written. */
    public enum Format {
        /** JSON objects, one a line. */
        JSON_LINES("application/x-ndjson"),
        /** An OTLP logs request in JSON. */
        OTLP_JSON("application/json"),
        /** An OTLP logs request in protobuf. */
        OTLP_PROTOBUF("application/x-protobuf");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        /** Value of the record's header {@code content-type}. */
        public String mediaType() {
            return mediaType;
        }
    }

    public Payload {
        requireNonNull(value, "value is null");
        requireNonNull(format, "format is null");
    }
}
