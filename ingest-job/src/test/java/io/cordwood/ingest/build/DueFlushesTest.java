package io.cordwood.ingest.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.Records;
import io.cordwood.record.DecodingPolicy;
import io.cordwood.record.RecordDecoder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DueFlushesTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final BuildOptions OPTIONS = new BuildOptions(
            DecodingPolicy.DEFAULT,
            DeclaredColumns.parse(""),
            64 << 20,
            8 << 20,
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            1 << 30,
            100,
            256 << 20,
            1L << 40,
            1,
            3);

    @Test
    void rowsAreDueWhenTheClockIsSetBack() throws Exception {
        PartitionBuffers partition =
                new PartitionBuffers(Records.json(0, 0, "acme", NOW).partition(), 0);
        TenantBuffer tenant = partition.tenant("acme");
        new RecordDecoder(DecodingPolicy.DEFAULT)
                .decode(Records.json(0, 0, "acme", NOW).kafka(), tenant.buffer());
        partition.keep(tenant);
        tenant.appended(0, NOW * 1000, 0);
        DueFlushes due = new DueFlushes(OPTIONS);

        assertThat(due.due(List.of(partition), NOW + 1)).isEmpty();
        assertThat(due.due(List.of(partition), NOW - Duration.ofHours(1).toMillis()))
                .extracting(DueFlushes.Due::reason)
                .containsExactly(FlushReason.AGE);
    }
}
