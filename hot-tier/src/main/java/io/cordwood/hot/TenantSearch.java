package io.cordwood.hot;

import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.RecordDecoder;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A search for a tenant without a table. Not thread-safe. */
final class TenantSearch {
    private final KafkaLogs logs;
    private final RecordDecoder decoder;
    private final String stream;
    private final ReadLimits limits;

    TenantSearch(KafkaLogs logs, RecordDecoder decoder, String stream, ReadLimits limits) {
        this.logs = logs;
        this.decoder = decoder;
        this.stream = stream;
        this.limits = limits;
    }

    /** Whether one of the records belongs to the tenant; stops at the first such record. */
    boolean find(String tenantId, List<OffsetSpan> spans) {
        if (spans.isEmpty()) {
            return false;
        }
        try (LogCursor cursor = new LogCursor(logs, stream, spans, limits.timeout())) {
            while (!cursor.isDone()) {
                for (LogCursor.Batch batch : cursor.poll()) {
                    for (ConsumerRecord<byte[], byte[]> consumed : batch.records()) {
                        if (isOf(tenantId, consumed)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }
    }

    private boolean isOf(String tenantId, ConsumerRecord<byte[], byte[]> consumed) {
        limits.read(ConsumedRecords.bytes(consumed), stream);
        try {
            KafkaRecord record = ConsumedRecords.of(consumed);
            return decoder.namedTenant(record).equals(tenantId)
                    && decoder.tenant(stream, record).equals(tenantId);
        } catch (UndecodableRecordException e) {
            // The record has no tenant and no row
            return false;
        }
    }
}
