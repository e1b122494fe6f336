package io.cordwood.hot;

import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.DecodingPolicy;
import io.cordwood.record.RecordDecoder;
import io.cordwood.record.UndecodableRecordException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Looks for a tenant that nobody has made a table for yet. Not thread-safe. */
final class TenantSearch {
    private final KafkaLogs tail;
    private final RecordDecoder decoder;
    private final String stream;
    private final ReadLimits limits;

    TenantSearch(KafkaLogs tail, DecodingPolicy policy, String stream, ReadLimits limits) {
        this.tail = tail;
        this.decoder = new RecordDecoder(policy);
        this.stream = stream;
        this.limits = limits;
    }

    /** Whether one of the records is the tenant's; reads on until it is found. */
    boolean find(String tenantId, List<OffsetSpan> spans) {
        if (spans.isEmpty()) {
            return false;
        }
        try (LogCursor cursor = new LogCursor(tail, stream, spans, limits.patience())) {
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
            return decoder.tenant(ConsumedRecords.of(consumed)).equals(tenantId);
        } catch (UndecodableRecordException e) {
            // It has no tenant, and no row
            return false;
        }
    }
}
