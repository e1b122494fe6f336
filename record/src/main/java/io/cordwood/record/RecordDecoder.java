package io.cordwood.record;

import static java.util.Objects.requireNonNull;

import io.cordwood.record.UndecodableRecordException.Reason;

/** Decodes Kafka records into rows. Keeps scratch memory and a cache of member names; not thread-safe. */
public final class RecordDecoder {
    private final DecodingPolicy policy;
    private final TenantIds tenants = new TenantIds();
    private final JsonRowDecoder rows = new JsonRowDecoder();

    public RecordDecoder(DecodingPolicy policy) {
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * The record's tenant: the header, else the key, else the default.
     *
     * @throws UndecodableRecordException if there is none, or it is longer than 128 bytes or not UTF-8
     */
    public String tenant(KafkaRecord record) throws UndecodableRecordException {
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
     * Appends the record's rows to a buffer: all of them, or none if it throws.
     *
     * @param target rows of this record's tenant and partition; its last offset is below the record's
     * @return number of rows appended; an OTLP request can have none
     */
    public int decode(KafkaRecord record, RowBuffer target) throws UndecodableRecordException {
        int before = target.rowCount();
        if (before > 0 && target.lastOffset() >= record.offset()) {
            throw new IllegalArgumentException("Offset %d does not come after %d, the last one in the buffer"
                    .formatted(record.offset(), target.lastOffset()));
        }
        byte[] value = record.value();
        rows.startRecord(
                target, policy.window(tenant(record)), record.offset(), record.appendTimeMicros(), value.length);
        try {
            rows.decode(value, 0, value.length, EventTime.NONE, 0);
        } catch (UndecodableRecordException e) {
            target.rollback(before);
            throw e;
        } finally {
            rows.endRecord();
        }
        target.endRecord(record.appendTimeMicros());
        return target.rowCount() - before;
    }
}
