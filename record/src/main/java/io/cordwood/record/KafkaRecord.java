package io.cordwood.record;

import static java.util.Objects.requireNonNull;

import io.cordwood.record.decode.RecordDecoder;

/**
 * One record of a partition of Kafka: the input of {@link RecordDecoder}. The partition is known where the record comes
 * from. Absent parts are empty arrays.
 *
 * <p>The arrays are not copied and must not change while the record is in use; thread-safe under that rule.
 *
 * @param offset offset within the partition
 * @param appendTimeMicros when the broker appended the record, microseconds since the epoch
 * @param key the record's key: the tenant id, unless the header names one
 * @param value one JSON object, an OTLP logs export request, or JSON objects, one a line
 * @param tenantHeader value of the header {@value #TENANT_HEADER}
 * @param contentType value of the header {@value #CONTENT_TYPE_HEADER}
 * @param token value of the header {@value #TOKEN_HEADER}, a secret
 * @param refusal the reason why the record was not unpacked, and has no value here; empty if it was unpacked
 */
@SuppressWarnings("ArrayRecordComponent") // Kafka's own arrays, passed on without a copy
public record KafkaRecord(
        long offset,
        long appendTimeMicros,
        byte[] key,
        byte[] value,
        byte[] tenantHeader,
        byte[] contentType,
        byte[] token,
        String refusal) {
    public static final String TENANT_HEADER = "cordwood.tenant";
    public static final String CONTENT_TYPE_HEADER = "content-type";
    public static final String TOKEN_HEADER = "cordwood.token";

    private static final byte[] ABSENT = new byte[0];

    public KafkaRecord {
        requireNonNull(key, "key is null");
        requireNonNull(value, "value is null");
        requireNonNull(tenantHeader, "tenantHeader is null");
        requireNonNull(contentType, "contentType is null");
        requireNonNull(token, "token is null");
        requireNonNull(refusal, "refusal is null");
    }

    /** A record that was unpacked, without a token. */
    public KafkaRecord(
            long offset, long appendTimeMicros, byte[] key, byte[] value, byte[] tenantHeader, byte[] contentType) {
        this(offset, appendTimeMicros, key, value, tenantHeader, contentType, ABSENT, "");
    }

    /** A record without headers. */
    public KafkaRecord(long offset, long appendTimeMicros, byte[] key, byte[] value) {
        this(offset, appendTimeMicros, key, value, ABSENT, ABSENT);
    }

    /** The same record with this token. */
    public KafkaRecord withToken(byte[] newToken) {
        return new KafkaRecord(offset, appendTimeMicros, key, value, tenantHeader, contentType, newToken, refusal);
    }

    /** A record with another value, and otherwise the same. */
    public KafkaRecord withValue(byte[] newValue) {
        return new KafkaRecord(offset, appendTimeMicros, key, newValue, tenantHeader, contentType, token, refusal);
    }

    /** The same record without its token, for where it can be seen. */
    public KafkaRecord withoutToken() {
        return token.length == 0 ? this : withToken(ABSENT);
    }
}
