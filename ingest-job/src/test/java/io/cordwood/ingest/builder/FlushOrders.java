package io.cordwood.ingest.builder;

import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.time.Duration;
import java.util.List;

/** Flushes of given rows, as a task orders them, and settings for them. Stateless. */
final class FlushOrders {
    static final BuildOptions OPTIONS = options(DecodingPolicy.DEFAULT, 100);

    private static final long NOW = 1_800_000_000_000L;

    private FlushOrders() {}

    /** Settings with which rows of this policy wait up to an hour, and so many aged flushes run per checkpoint. */
    static BuildOptions options(DecodingPolicy policy, int maxAgedFlushes) {
        return new BuildOptions(
                policy,
                DeclaredColumns.NONE,
                64 << 20,
                8 << 20,
                0,
                0,
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                1 << 30,
                maxAgedFlushes,
                256 << 20,
                1L << 40,
                1,
                3);
    }

    /** A flush of one record for each value, from offset 0 on. */
    static FlushOrder order(String tenantId, List<String> values) throws Exception {
        PartitionBuffers partition =
                new PartitionBuffers(Records.json(0, 0, tenantId, NOW).partition(), 0);
        TenantBuffer tenant = partition.tenant(tenantId);
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        for (int i = 0; i < values.size(); i++) {
            partition.advance(i, 1);
            KafkaRecord record =
                    Records.value(0, i, tenantId, NOW, values.get(i)).records().getFirst();
            decoder.decode(tenantId, record, tenant.buffer());
            tenant.appended(i, NOW * 1000, NOW, i);
        }
        FlushInput input = tenant.handOver(Long.MAX_VALUE);
        return new FlushOrder(partition.partition(), tenant, partition.base(), input, List.of(), input.bytes());
    }
}
