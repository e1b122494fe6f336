package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DueFlushesTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final Duration MIN_AGE = Duration.ofMinutes(1);
    private static final Duration MAX_AGE = Duration.ofHours(1);
    private static final long TINY_LAG = 1 << 20;
    private static final DueFlushes.Requests NOTHING = stream -> Map.of();

    private final PartitionBuffers partition =
            new PartitionBuffers(Records.json(0, 0, "acme", NOW).partition(), 0);
    private final DueFlushes due = new DueFlushes(options(8 << 20), 1L << 40);

    private static BuildOptions options(long smallBytes) {
        return options(smallBytes, 0, MAX_AGE);
    }

    private static BuildOptions options(long smallBytes, long tinyBytes, Duration smallAge) {
        return new BuildOptions(
                DecodingPolicy.DEFAULT,
                DeclaredColumns.parse(""),
                64 << 20,
                smallBytes,
                tinyBytes,
                TINY_LAG,
                MIN_AGE,
                smallAge,
                MAX_AGE,
                1 << 30,
                100,
                256 << 20,
                1L << 40,
                1,
                3);
    }

    @Test
    void rowsWaitAsLongWhereTheClockIsSet() throws Exception {
        add("acme", NOW);
        for (Duration ahead : List.of(Duration.ofHours(-3), Duration.ofHours(3), Duration.ofDays(-3000))) {
            assertThat(dueWhere(ahead, NOW + 1)).as("%s ahead", ahead).isEmpty();
            assertThat(dueWhere(ahead, NOW + MAX_AGE.toMillis()))
                    .as("%s ahead", ahead)
                    .extracting(DueFlushes.Due::reason)
                    .containsExactly(FlushReason.AGE);
        }
    }

    /** A checkpoint may have been written under another clock: nobody knows how long they have waited. */
    @Test
    void rowsThatHaveWaitedSinceATimeToComeAreDue() throws Exception {
        JobClock clock = clock(NOW);
        add("acme", clock.ticksAt(NOW + 1));
        assertThat(due(partition, NOW)).hasSize(1);
    }

    private List<DueFlushes.Due> dueWhere(Duration ahead, long tick) {
        return due.due(
                List.of(partition),
                NOTHING,
                partition.waitingBytes(),
                new JobClock(() -> tick + ahead.toMillis(), () -> tick));
    }

    private static JobClock clock(long millis) {
        return new JobClock(() -> millis, () -> millis);
    }

    @Test
    void tenantsThatBeganTogetherHaveSlotsAllOverTheAge() throws Exception {
        for (int tenant = 0; tenant < 1000; tenant++) {
            add("tenant-" + tenant, NOW);
        }
        for (int tenth = 1; tenth <= 10; tenth++) {
            assertThat(due(partition, NOW + MAX_AGE.toMillis() * tenth / 10))
                    .as("after %d tenths", tenth)
                    .hasSizeBetween(tenth * 100 - 40, Math.min(1000, tenth * 100 + 40));
        }
        assertThat(due(partition, NOW + MAX_AGE.toMillis())).hasSize(1000);
    }

    @Test
    void aTenantHasOneSlotInAnAge() throws Exception {
        long firstTurn = turnAfter("acme", NOW);
        assertThat(firstTurn).isBetween(NOW + 1, NOW + MAX_AGE.toMillis());
        assertThat(turnAfter("acme", firstTurn)).isEqualTo(firstTurn + MAX_AGE.toMillis());
        assertThat(turnAfter("acme", firstTurn + 1)).isEqualTo(firstTurn + MAX_AGE.toMillis());
        assertThat(turnAfter("acme", firstTurn - 1)).isEqualTo(firstTurn);
    }

    /** So that its flushes share a commit. */
    @Test
    void aTenantHasItsSlotInAllPartitionsAtOnce() throws Exception {
        assertThat(turnAfter(1, "acme", NOW)).isEqualTo(turnAfter("acme", NOW));
    }

    @Test
    void aTenantWithManyRowsWaitsForTheMinimumAge() throws Exception {
        add("acme", NOW);
        long minAge = NOW + MIN_AGE.toMillis();
        DueFlushes all = new DueFlushes(options(1), 1L << 40);
        assertThat(due(all, partition, NOTHING, minAge - 1)).isEmpty();
        assertThat(due(all, partition, NOTHING, minAge)).hasSize(1);
        assertThat(due(partition, minAge)).as("few rows").isEmpty();
    }

    @Test
    void aTenantWithVeryFewRowsWaitsForItsSlotInTheMaximumAge() throws Exception {
        Duration smallAge = MAX_AGE.dividedBy(6);
        for (int tenant = 0; tenant < 600; tenant++) {
            add("tenant-" + tenant, NOW);
        }
        long bytes = partition.tenant("tenant-0").totalBytes();
        DueFlushes tiny = new DueFlushes(options(8 << 20, bytes + 1, smallAge), 1L << 40);
        DueFlushes small = new DueFlushes(options(8 << 20, bytes, smallAge), 1L << 40);
        long afterSmallAge = NOW + smallAge.toMillis();
        assertThat(due(small, partition, NOTHING, afterSmallAge)).hasSize(600);
        assertThat(due(tiny, partition, NOTHING, afterSmallAge)).hasSizeBetween(60, 140);
        assertThat(due(tiny, partition, NOTHING, NOW + MAX_AGE.toMillis())).hasSize(600);
    }

    /** A query of a tenant with few rows may have to read what came after them. */
    @Test
    void inABusyPartitionFewRowsWaitNoLongerThanOthers() throws Exception {
        Duration smallAge = MAX_AGE.dividedBy(6);
        for (int tenant = 0; tenant < 600; tenant++) {
            add("tenant-" + tenant, NOW);
        }
        DueFlushes tiny = new DueFlushes(options(8 << 20, 8 << 20, smallAge), 1L << 40);
        long afterSmallAge = NOW + smallAge.toMillis();
        partition.advance(0, TINY_LAG);
        assertThat(due(tiny, partition, NOTHING, afterSmallAge)).hasSizeBetween(60, 140);
        partition.advance(0, 1);
        assertThat(due(tiny, partition, NOTHING, afterSmallAge)).hasSize(600);
    }

    /** So that a tenant with few rows in one partition and more in another has one commit. */
    @Test
    void aSlotInTheMaximumAgeIsOneOfThoseInTheShorterAge() throws Exception {
        Duration smallAge = MAX_AGE.dividedBy(6);
        add("acme", NOW);
        DueFlushes tiny = new DueFlushes(options(8 << 20, 8 << 20, smallAge), 1L << 40);
        DueFlushes small = new DueFlushes(options(8 << 20, 0, smallAge), 1L << 40);
        long inMaxAge = firstDue(tiny);
        long inSmallAge = firstDue(small);
        assertThat(inSmallAge).isBetween(NOW + 1, NOW + smallAge.toMillis());
        assertThat((inMaxAge - inSmallAge) % smallAge.toMillis()).isZero();
    }

    private long firstDue(DueFlushes flushes) {
        long early = NOW;
        long late = NOW + MAX_AGE.toMillis();
        while (late - early > 1) {
            long middle = (early + late) >>> 1;
            if (due(flushes, partition, NOTHING, middle).isEmpty()) {
                early = middle;
            } else {
                late = middle;
            }
        }
        return late;
    }

    @Test
    void whatIsAskedForComesFirst() throws Exception {
        add("old", NOW - MAX_AGE.toMillis());
        add("asked", NOW);
        partition.advance(0, 1);
        TableOffsets all = TableOffsets.of(Map.of(partition.partition().id(), 1L));
        assertThat(due(due, partition, stream -> Map.of("asked", all), NOW + 1))
                .extracting(DueFlushes.Due::reason)
                .containsExactly(FlushReason.REQUEST, FlushReason.AGE);
    }

    /** They take memory too, and cannot be written now. */
    @Test
    void rowsThatBackOffCountWhenTooManyWait() throws Exception {
        add("broken", NOW);
        add("acme", NOW);
        TenantBuffer broken = partition.tenant("broken");
        DueFlushes tight = new DueFlushes(options(8 << 20), broken.totalBytes() + 1);
        broken.requeue(broken.handOver(1 << 20), NOW + 60_000);
        assertThat(due(tight, partition, NOTHING, NOW + 1))
                .extracting(one -> one.tenant().tenantId(), DueFlushes.Due::reason)
                .containsExactly(tuple("acme", FlushReason.MEMORY));
    }

    @Test
    void isOverOnceItIsFlushedOrHasFailed() throws Exception {
        add("flushed", NOW);
        add("failed", NOW);
        List<DueFlushes.Due> both = due(partition, NOW + MAX_AGE.toMillis());
        assertThat(both).hasSize(2).noneMatch(DueFlushes.Due::isOver);
        partition.tenant("flushed").handOver(1 << 20);
        TenantBuffer failed = partition.tenant("failed");
        failed.requeue(failed.handOver(1 << 20), NOW);
        assertThat(both).allMatch(DueFlushes.Due::isOver);
    }

    private long turnAfter(String tenantId, long sinceMillis) throws Exception {
        return turnAfter(0, tenantId, sinceMillis);
    }

    /** When rows that wait since then are due. */
    private long turnAfter(int number, String tenantId, long sinceMillis) throws Exception {
        PartitionBuffers alone =
                new PartitionBuffers(Records.json(number, 0, tenantId, NOW).partition(), 0);
        add(alone, tenantId, sinceMillis);
        long early = sinceMillis;
        long late = sinceMillis + 2 * MAX_AGE.toMillis();
        while (early < late) {
            long middle = (early + late) >>> 1;
            if (due(alone, middle).isEmpty()) {
                early = middle + 1;
            } else {
                late = middle;
            }
        }
        return late;
    }

    private List<DueFlushes.Due> due(PartitionBuffers buffers, long nowMillis) {
        return due(due, buffers, NOTHING, nowMillis);
    }

    private static List<DueFlushes.Due> due(
            DueFlushes due, PartitionBuffers buffers, DueFlushes.Requests requests, long nowMillis) {
        return due.due(List.of(buffers), requests, buffers.waitingBytes(), clock(nowMillis));
    }

    private void add(String tenantId, long sinceMillis) throws UndecodableRecordException {
        add(partition, tenantId, sinceMillis);
    }

    private static void add(PartitionBuffers partition, String tenantId, long sinceMillis)
            throws UndecodableRecordException {
        TenantBuffer tenant = partition.tenant(tenantId);
        KafkaRecord record = Records.json(0, 0, tenantId, sinceMillis).records().getFirst();
        new RecordDecoder(DecodingPolicy.DEFAULT).decode(tenantId, record, tenant.buffer());
        partition.keep(tenant);
        tenant.appended(0, sinceMillis * 1000, sinceMillis, 0);
    }
}
