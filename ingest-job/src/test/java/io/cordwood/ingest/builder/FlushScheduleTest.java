package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.testing.Records;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlushScheduleTest {
    private static final int THREADS = 2;
    private static final int LIMIT = FlushSchedule.MAX_ORDERED * THREADS;
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final PartitionBuffers partition =
            new PartitionBuffers(Records.json(0, 0, "acme", 0).partition(), 0);
    private final Recorder flushes = new Recorder();
    private List<DueFlushes.Due> due = List.of();
    private int searches;

    /** Notes the flushes. */
    private static final class Recorder implements FlushSchedule.Flushes {
        private final List<String> tenants = new ArrayList<>();
        private int inProgress;

        @Override
        public int inProgress() {
            return inProgress;
        }

        @Override
        public void flush(TenantBuffer tenant, FlushReason reason) {
            tenants.add(tenant.tenantId());
            inProgress++;
        }
    }

    private FlushSchedule schedule(int maxAgedFlushes) {
        return new FlushSchedule(
                () -> {
                    searches++;
                    return due;
                },
                flushes,
                THREADS,
                maxAgedFlushes);
    }

    private List<DueFlushes.Due> due(int count, FlushReason reason) throws Exception {
        List<DueFlushes.Due> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(new DueFlushes.Due(tenant(reason + "-" + i), reason));
        }
        return some;
    }

    private TenantBuffer tenant(String tenantId) throws Exception {
        TenantBuffer tenant = partition.tenant(tenantId);
        new RecordDecoder(DecodingPolicy.DEFAULT)
                .decode(tenantId, Records.json(0, 0, tenantId, 0).records().getFirst(), tenant.buffer());
        tenant.appended(0, 0, 0, 0);
        return tenant;
    }

    @Test
    void ordersSomeAtATime() throws Exception {
        due = due(LIMIT + 10, FlushReason.AGE);
        FlushSchedule schedule = schedule(UNLIMITED);
        assertThat(schedule.tick()).isEqualTo(FlushSchedule.REST_MILLIS);
        assertThat(flushes.tenants).hasSize(LIMIT).startsWith("AGE-0", "AGE-1");
        flushes.inProgress = 0;
        assertThat(schedule.tick()).isEqualTo(FlushSchedule.SEARCH_MILLIS);
        assertThat(flushes.tenants).hasSize(LIMIT + 10).doesNotHaveDuplicates();
        assertThat(searches).isOne();
    }

    @Test
    void ordersSomeWhileOtherFlushesFillTheLimit() throws Exception {
        due = due(10, FlushReason.AGE);
        flushes.inProgress = 5 * LIMIT;
        schedule(UNLIMITED).tick();
        assertThat(flushes.tenants).hasSize(THREADS);
    }

    @Test
    void searchesAgainAfterASecondWhileTheRestWaits() throws Exception {
        due = due(1000, FlushReason.AGE);
        flushes.inProgress = LIMIT;
        FlushSchedule schedule = schedule(UNLIMITED);
        for (long millis = 0; millis < 3 * FlushSchedule.SEARCH_MILLIS; ) {
            millis += schedule.tick();
        }
        assertThat(searches).isEqualTo(3);
    }

    @Test
    void limitsFlushesPerCheckpointExceptRequestedOnes() throws Exception {
        FlushSchedule schedule = schedule(20);
        due = due(30, FlushReason.AGE);
        schedule.tick();
        assertThat(flushes.tenants).hasSize(20);
        due = due(5, FlushReason.LAG);
        schedule.tick();
        assertThat(flushes.tenants).hasSize(20);
        due = due(5, FlushReason.REQUEST);
        schedule.tick();
        assertThat(flushes.tenants).hasSize(25);

        schedule.checkpoint();
        due = due(30, FlushReason.RETRY);
        schedule.tick();
        assertThat(flushes.tenants).hasSize(45);
    }

    @Test
    void passesOverTenantsThatWereFlushedMeanwhile() throws Exception {
        due = due(2, FlushReason.AGE);
        due.getFirst().tenant().handOver(1 << 20);
        schedule(UNLIMITED).tick();
        assertThat(flushes.tenants).containsExactly("AGE-1");
    }
}
