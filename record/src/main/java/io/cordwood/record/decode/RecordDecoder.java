package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.MemberObserver;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.policy.AcceptanceWindow;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TenantIds;
import io.cordwood.record.token.TokenCheck;
import java.util.Locale;
import java.util.Optional;

/** A decoder of Kafka records to rows. Keeps scratch memory and a cache of member names; not thread-safe. */
public final class RecordDecoder {
    /** Tag of the first field of an OTLP request in protobuf; also a line feed, which JSON may begin with. */
    private static final int PROTOBUF_TAG = 0x0A;

    private enum Format {
        JSON,
        JSON_LINES,
        PROTOBUF,
        UNKNOWN
    }

    private final DecodingPolicy policy;
    private final Optional<TokenCheck> tokens;
    private final TenantIds tenants = new TenantIds();
    private final RowWriter rows = new RowWriter();
    private final JsonRowDecoder json = new JsonRowDecoder(rows);
    private final JsonLinesDecoder jsonLines = new JsonLinesDecoder(json);
    private final OtlpRows otlpRows = new OtlpRows(rows);
    private final OtlpJsonDecoder otlpJson = new OtlpJsonDecoder(otlpRows);
    private final OtlpProtobufDecoder otlpProtobuf = new OtlpProtobufDecoder(otlpRows);

    /** A decoder for a policy that does not require tokens. */
    public RecordDecoder(DecodingPolicy policy) {
        this(policy, Optional.empty());
    }

    /**
     * A decoder.
     *
     * @param tokens checks the tokens of records
     * @throws IllegalArgumentException unless there is such a check if, and only if, the policy requires tokens
     */
    public RecordDecoder(DecodingPolicy policy, Optional<TokenCheck> tokens) {
        this.policy = requireNonNull(policy, "policy is null");
        this.tokens = requireNonNull(tokens, "tokens is null");
        if (policy.requireToken() != tokens.isPresent()) {
            throw new IllegalArgumentException(
                    policy.requireToken()
                            ? "The policy requires tokens, and nothing checks them"
                            : "Tokens are checked that the policy does not require");
        }
    }

    /**
     * The record's tenant, if the record may name it. Waits for rules of tokens that cover its append time.
     *
     * @param stream the record's stream
     * @throws UndecodableRecordException if the record names none, or its token does not let it name this one
     */
    public String tenant(String stream, KafkaRecord record) throws UndecodableRecordException {
        String tenantId = namedTenant(record);
        if (tokens.isPresent()) {
            tokens.get().requireRight(tenantId, stream, record);
        }
        return tenantId;
    }

    /**
     * The tenant that the record names, whether it may or not: the header, else the key, else the default.
     *
     * @throws UndecodableRecordException if there is none, or it is longer than 128 bytes or not UTF-8, or the record
     *     was not unpacked
     */
    public String namedTenant(KafkaRecord record) throws UndecodableRecordException {
        if (!record.refusal().isEmpty()) {
            throw new UndecodableRecordException(Reason.UNPACKS_TOO_LARGE, record.refusal());
        }
        if (record.tenantHeader().length > 0) {
            return tenants.of(record.tenantHeader());
        }
        if (record.key().length > 0) {
            return tenants.of(record.key());
        }
        if (policy.defaultTenant().isEmpty()) {
            throw new UndecodableRecordException(
                    Reason.MISSING_TENANT,
                    "Neither the key nor the header %s names a tenant, and there is no default tenant"
                            .formatted(KafkaRecord.TENANT_HEADER));
        }
        return policy.defaultTenant();
    }

    /**
     * Appends the record's rows to a buffer: all of them, or none if it throws. Of a batch, those of its good lines.
     *
     * @param tenantId the record's tenant, as {@link #tenant} returned it
     * @param target rows of this record's tenant and partition; its last offset is below the record's
     * @return number of rows appended; an OTLP request can have none
     * @throws IllegalArgumentException if the record was refused when it was unpacked, or its offset is not above the
     *     buffer's last one
     */
    public int decode(String tenantId, KafkaRecord record, RowBuffer target) throws UndecodableRecordException {
        return decode(tenantId, record, target, Optional.empty(), BadLines.IGNORED);
    }

    /** The same, with an optional observer of the members, and a receiver of a batch's bad lines. */
    public int decode(
            String tenantId,
            KafkaRecord record,
            RowBuffer target,
            Optional<? extends MemberObserver> observer,
            BadLines badLines)
            throws UndecodableRecordException {
        if (!record.refusal().isEmpty()) {
            throw new IllegalArgumentException("The record was not unpacked: " + record.refusal());
        }
        int before = target.rowCount();
        if (before > 0 && target.lastOffset() >= record.offset()) {
            throw new IllegalArgumentException("Offset %d does not come after %d, the last one in the buffer"
                    .formatted(record.offset(), target.lastOffset()));
        }
        AcceptanceWindow window = policy.window(tenantId);
        rows.startRecord(target, window, record.offset(), record.appendTimeMicros(), record.value().length);
        target.observe(observer);
        try {
            decodeValue(record.value(), format(record.contentType()), target, badLines);
        } catch (UndecodableRecordException e) {
            target.rollback(before);
            throw e;
        } catch (RuntimeException e) {
            // A defect of the decoder must cost one record, not the whole pipeline.
            target.rollback(before);
            throw defect(e);
        } finally {
            rows.endRecord();
            otlpRows.endRecord();
            target.observe(Optional.empty());
        }
        int added = target.rowCount() - before;
        if (added > 0) {
            target.endRecord(before, record.appendTimeMicros(), record.value().length);
        }
        return added;
    }

    /** Rows of the last decoded record with a time of their own that did not parse: they have its append time. */
    public int unparsedTimes() {
        return rows.unparsedTimes();
    }

    /**
     * Rows of the last decoded record whose time is not accepted, by the acceptance window or because the record has
     * rows of too many days: they have its append time.
     */
    public int restamped() {
        return rows.restamped();
    }

    static UndecodableRecordException defect(RuntimeException failure) {
        return new UndecodableRecordException(Reason.DECODER_FAILED, "The decoder failed: " + failure);
    }

    private void decodeValue(byte[] value, Format format, RowBuffer target, BadLines badLines)
            throws UndecodableRecordException {
        if (format == Format.PROTOBUF) {
            otlpProtobuf.decode(value);
            return;
        }
        if (value.length == 0) {
            throw new UndecodableRecordException(Reason.EMPTY_VALUE, "The record has no value");
        }
        if (format == Format.JSON_LINES) {
            jsonLines.decode(value, JsonText.start(value), target, badLines);
            return;
        }
        if (format == Format.UNKNOWN && value[0] == PROTOBUF_TAG) {
            decodeAmbiguous(value, target);
            return;
        }
        decodeJson(value);
    }

    /** JSON after a line feed, or else protobuf: hardly any bytes are both. */
    private void decodeAmbiguous(byte[] value, RowBuffer target) throws UndecodableRecordException {
        int before = target.rowCount();
        try {
            decodeJson(value);
        } catch (UndecodableRecordException e) {
            if (e.reason() != Reason.MALFORMED_JSON) {
                throw e;
            }
            target.rollback(before);
            try {
                otlpProtobuf.decode(value);
            } catch (UndecodableRecordException notProtobuf) {
                throw beginsLikeJson(value) ? e : notProtobuf;
            }
        }
    }

    private static boolean beginsLikeJson(byte[] value) {
        int i = 0;
        while (i < value.length && value[i] <= ' ' && value[i] >= 0) {
            i++;
        }
        return i < value.length && value[i] == '{';
    }

    private void decodeJson(byte[] value) throws UndecodableRecordException {
        int from = JsonText.start(value);
        if (otlpJson.isRequest(value, from, value.length)) {
            otlpJson.decode(value, from, value.length);
        } else {
            json.decode(value, from, value.length, 0);
        }
    }

    /** The format that the header names; empty for an unknown media type. */
    private static Format format(byte[] contentType) {
        if (contentType.length == 0) {
            return Format.UNKNOWN;
        }
        String header = new String(contentType, ISO_8859_1);
        int semicolon = header.indexOf(';');
        String mediaType = (semicolon < 0 ? header : header.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
        return switch (mediaType) {
            case "application/json" -> Format.JSON;
            case "application/x-ndjson", "application/ndjson" -> Format.JSON_LINES;
            case "application/x-protobuf", "application/protobuf" -> Format.PROTOBUF;
            default -> Format.UNKNOWN;
        };
    }
}
