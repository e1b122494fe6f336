package io.cordwood.ingest.builder;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.report.TrafficReport;
import io.cordwood.ingest.report.TrafficReport.PartitionTraffic;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OffsetAdvance;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.source.PartitionSpread;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.Records;
import io.cordwood.ingest.testing.SkewedClock;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.services.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BuildOperatorTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final PartitionId P0 = new PartitionId(TOPIC_ID, 0);

    private static final DeclaredColumns DECLARED =
            DeclaredColumns.parse("logs=Code:double,path:varchar,error:varchar;other=n:varchar");

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final SkewedClock clock = new SkewedClock();
    private long checkpoint;

    @Test
    void keepsRowsUntilTheyAreOld() throws Exception {
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            job.send(0, 1, "acme", NOW);
            job.checkpoint();
            assertThat(job.flushes()).isEmpty();
            assertThat(job.progress()).containsExactly(new Progress(partition(0), 0, 0, NOW * 1000));

            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();

            assertThat(job.flushes()).singleElement().satisfies(flush -> {
                assertThat(flush.tenantId()).isEqualTo("acme");
                assertThat(flush.number()).isZero();
                assertThat(flush.flush().from()).isZero();
                assertThat(flush.flush().to()).isEqualTo(2);
                assertThat(flush.flush().files().getFirst().summary().rowCount())
                        .isEqualTo(2);
            });
            assertThat(job.progress().getLast()).isEqualTo(new Progress(partition(0), 1, 2, Long.MAX_VALUE));
        }
    }

    @Test
    void rowsThatAreReadLateWaitAsLongAsOthers() throws Exception {
        Duration behind = Duration.ofHours(5);
        OperatorSubtaskState state;
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW - behind.toMillis());
            job.at(NOW + 2000);
            state = job.checkpoint();
            assertThat(job.flushes()).isEmpty();
            assertThat(job.progress())
                    .containsExactly(new Progress(partition(0), 0, 0, (NOW - behind.toMillis()) * 1000));
        }
        try (Harness job = restore(options(), state, 1, 0)) {
            job.at(NOW + 4000);
            job.checkpoint();
            assertThat(job.flushes()).isEmpty();
            job.at(NOW + Duration.ofMinutes(61).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).hasSize(1);
        }
    }

    @Test
    void reportsTrafficWithEachCheckpoint() throws Exception {
        Reports.SEEN.clear();
        try (Harness job = start(options())) {
            job.send(3, 0, "acme", NOW);
            job.send(3, 1, "acme", NOW);
            job.send(3, 2, "small", NOW);
            job.at(NOW + 5_000);
            job.checkpoint();
            job.at(NOW + 9_000);
            job.checkpoint();
        }
        TrafficReport first = Reports.SEEN.remove();
        assertThat(first.worker()).isEqualTo("0");
        assertThat(first.fromMillis()).isEqualTo(NOW);
        assertThat(first.toMillis()).isEqualTo(NOW + 5_000);
        assertThat(first.streams().get(STREAM).get(3).tenants())
                .hasEntrySatisfying("acme", traffic -> {
                    assertThat(traffic.rows()).isEqualTo(2);
                    assertThat(traffic.bytes()).isPositive();
                })
                .hasEntrySatisfying(
                        "small", traffic -> assertThat(traffic.rows()).isEqualTo(1));
        long position = first.streams().get(STREAM).get(3).position();
        assertThat(position).isPositive();
        // A partition from which nothing comes is reported too.
        assertThat(Reports.SEEN.remove())
                .isEqualTo(new TrafficReport(
                        "0",
                        NOW + 5_000,
                        NOW + 9_000,
                        Map.of(STREAM, Map.of(3, new PartitionTraffic(0, position, Map.of())))));
    }

    /** What operators report. */
    private static final class Reports implements TrafficReporter {
        private static final Queue<TrafficReport> SEEN = new ConcurrentLinkedQueue<>();

        @Override
        public void report(TrafficReport report) {
            SEEN.add(report);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void flushesByItsOwnClockIfThatOfTheBrokerIsAhead() throws Exception {
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW + Duration.ofHours(5).toMillis());
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();

            assertThat(job.flushes()).hasSize(1);
        }
    }

    @Test
    void createsTablesWithTheDeclaredColumns() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(Records.batch(Records.value(0, 0, "acme", NOW, "{\"code\":200,\"n\":1}")), 0);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).hasSize(1);
        }
        LogBlockSchema schema = storage.table("acme", STREAM).schema();
        assertThat(schema.column("code").orElseThrow().type()).isEqualTo(ColumnType.DOUBLE);
        assertThat(schema.column("path").orElseThrow().index()).isEqualTo(IndexKind.KEYWORD);
        assertThat(schema.column("error").orElseThrow().index()).isEqualTo(IndexKind.TEXT);
        assertThat(schema.column("n").orElseThrow().type()).isEqualTo(ColumnType.BIGINT);
    }

    @Test
    void aFirstFlushMakesItsTableByOneRequest() throws Exception {
        storage.refuseDeclarations(true);
        try (Harness job = start(options())) {
            job.harness.processElement(Records.batch(Records.value(0, 0, "acme", NOW, "{\"code\":200,\"n\":1}")), 0);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).hasSize(1);
        }
        assertThat(storage.ensured()).isEqualTo(1);
    }

    /** Only so many members get columns, and which of them is for the order in Kafka to say. */
    @Test
    @Timeout(60)
    void givesColumnsToMembersAsTheyComeIfFirstRowsWereSavedMeanwhile() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(Records.batch(Records.value(0, 0, "acme", NOW, "{\"first\":1}")), 0);
            job.checkpoint();
            job.harness.processElement(Records.batch(Records.value(0, 1, "acme", NOW, "{\"second\":2}")), 0);
            job.at(NOW + Duration.ofSeconds(2).toMillis());
            Waiting.until("the table exists", () -> storage.hasTable("acme", STREAM));
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
        }
        LogBlockSchema schema = storage.table("acme", STREAM).schema();
        assertThat(schema.column("first").orElseThrow().fieldId())
                .isLessThan(schema.column("second").orElseThrow().fieldId());
    }

    @Test
    @Timeout(60)
    void makesTheTablesOfTenantsThatArrive() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(Records.batch(Records.value(0, 0, "acme", NOW, "{\"code\":200,\"n\":1}")), 0);
            job.at(NOW + Duration.ofSeconds(2).toMillis());

            Waiting.until("the table exists", () -> storage.hasTable("acme", STREAM));
            assertThat(job.flushes()).isEmpty();
        }
        LogBlockSchema schema = storage.table("acme", STREAM).schema();
        assertThat(schema.column("code").orElseThrow().type()).isEqualTo(ColumnType.DOUBLE);
        assertThat(schema.column("n").orElseThrow().type()).isEqualTo(ColumnType.BIGINT);
    }

    @Test
    @Timeout(60)
    void declaresNewMembersLongBeforeTheirFlush() throws Exception {
        try (Harness job = start(patient(200))) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"a\":null,\"b\":true}"));
            job.until(() -> storage.hasTable("acme", STREAM));
            job.send(Records.value(0, 1, "acme", NOW, "{\"b\":1,\"a\":1}"));
            job.send(Records.value(0, 2, "acme", NOW, "{\"a\":\"text\",\"exception\":\"x\",\"_c\":1}"));
            job.until(() -> hasColumn("acme", "exception"));
            assertThat(columns("acme")).containsExactly("b BOOLEAN", "a BIGINT", "exception VARCHAR");
            assertThat(storage.table("acme", STREAM)
                            .schema()
                            .column("exception")
                            .orElseThrow()
                            .index())
                    .isEqualTo(IndexKind.TEXT);
            job.send(Records.value(0, 3, "acme", NOW, "{\"a\":1.5}"));
            job.until(() -> hasColumn("acme", "a.double"));
            assertThat(job.flushes()).isEmpty();
            assertThat(storage.ensured()).as("tables that a flush asked for").isZero();
            assertThat(job.failedDeclarations()).isZero();
        }
    }

    @Test
    @Timeout(60)
    void givesColumnsToMembersAsTheyComeAlsoWhereTheyAreDeclaredLate() throws Exception {
        storage.refuseDeclarations(true);
        OperatorSubtaskState state;
        int declared = 3;
        try (Harness job = start(patient(declared + 2))) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"first\":1}"));
            job.until(() -> job.failedDeclarations() > 0);
            job.checkpoint();
            job.send(Records.value(0, 1, "acme", NOW, "{\"first\":1,\"second\":\"a\"}"));
            state = job.checkpoint();
        }
        storage.refuseDeclarations(false);
        try (Harness job = restore(patient(declared + 2), state, 1, 0)) {
            job.send(Records.value(0, 2, "acme", NOW, "{\"third\":1,\"second\":2}"));
            job.until(() -> hasColumn("acme", "second"));
            job.send(Records.value(0, 3, "acme", NOW, "{\"fourth\":1,\"first\":1.5}"));
            job.until(() -> hasColumn("acme", "first.double"));
            assertThat(columns("acme")).containsExactly("first BIGINT", "second VARCHAR", "first.double DOUBLE");
            assertThat(job.flushes()).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void rowsAreFlushedIfTheirMembersCannotBeDeclaredBefore() throws Exception {
        storage.refuseDeclarations(true);
        try (Harness job = start(options())) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"a\":1}"));
            job.until(() -> job.failedDeclarations() > 0);
            flush(job, 0);
            assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, 1));
            assertThat(columns("acme")).containsExactly("a BIGINT");

            storage.refuseDeclarations(false);
            job.send(Records.value(0, 1, "acme", NOW, "{\"b\":1}"));
            int ensured = storage.ensured();
            job.until(() -> hasColumn("acme", "b"));
            assertThat(storage.ensured()).isEqualTo(ensured);
        }
    }

    @Test
    @Timeout(60)
    void aTenantThatIsRefusedHoldsNoOtherUp() throws Exception {
        storage.breakTenant("broken");
        try (Harness job = start(patient(200))) {
            for (int i = 0; i < 300; i++) {
                job.send(Records.value(0, i, "broken", NOW, "{\"text\":\"%s\"}".formatted("x".repeat(100_000))));
                if (i % 10 == 0) {
                    job.checkpoint();
                }
            }
            job.until(() -> job.failedDeclarations() > 0);
            for (int i = 0; i < 3; i++) {
                String tenantId = "tenant-" + i;
                job.send(0, 1000 + i, tenantId, NOW);
                job.until(() -> storage.hasTable(tenantId, STREAM));
            }
            storage.mendTenant("broken");
            job.until(() -> hasColumn("broken", "text"));
            assertThat(job.flushes()).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void rowsOfADeletedTenantDeclareNothing() throws Exception {
        storage.table("acme", STREAM);
        storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 2L)));
        try (Harness job = start(patient(200))) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"secret\":1}"));
            job.send(Records.value(0, 1, "acme", NOW, "{\"secret\":1}"));
            job.until(() -> !storage.declared().isEmpty());
            job.send(0, 2, "other", NOW);
            job.until(() -> storage.hasTable("other", STREAM));
            assertThat(storage.hasTable("acme", STREAM)).isFalse();
            job.send(Records.value(0, 3, "acme", NOW, "{\"level\":1}"));
            job.until(() -> storage.hasTable("acme", STREAM));
            assertThat(columns("acme")).containsExactly("level BIGINT");
        }
    }

    @Test
    @Timeout(60)
    void declaresWhatWasDeclaredBeforeTheTenantWasDeleted() throws Exception {
        try (Harness job = start(patient(200))) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"a\":1,\"b\":1}"));
            job.until(() -> hasColumn("acme", "b"));
            storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 1L)));
            job.until(() -> !job.flushes().isEmpty());
            assertThat(storage.hasTable("acme", STREAM)).isFalse();
            int flushes = job.flushes().size();

            job.send(Records.value(0, 1, "acme", NOW, "{\"a\":1}"));
            job.until(() -> storage.hasTable("acme", STREAM));
            assertThat(columns("acme")).containsExactly("a BIGINT");
            job.send(Records.value(0, 2, "acme", NOW, "{\"b\":1}"));
            job.until(() -> hasColumn("acme", "b"));
            assertThat(job.flushes()).hasSize(flushes);
        }
    }

    @Test
    @Timeout(60)
    void declaresRowsThatCameBetweenTheDeletionOfTheirTenantAndTheNewsOfIt() throws Exception {
        try (Harness job = start(patient(200))) {
            job.send(Records.value(0, 0, "acme", NOW, "{\"a\":1,\"b\":1}"));
            job.send(Records.value(1, 0, "acme", NOW, "{\"a\":1,\"b\":1}"));
            job.until(() -> hasColumn("acme", "b"));
            storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 0L, new PartitionId(TOPIC_ID, 1), 1L)));
            job.checkpoint();
            job.until(() -> storage.hasTable("acme", STREAM) && hasColumn("acme", "b"));
            assertThat(job.flushes())
                    .extracting(flush -> flush.flush().partitionId())
                    .isSubsetOf(new PartitionId(TOPIC_ID, 1));
        }
    }

    @Test
    @Timeout(60)
    void asksForManyTenantsInRequestsOfBoundedSizeAndForNoneTwice() throws Exception {
        int tenants = 250;
        try (Harness job = start(patient(200))) {
            for (int i = 0; i < 2 * tenants; i++) {
                job.send(0, i, "tenant-" + i % tenants, NOW);
            }
            job.until(() -> IntStream.range(0, tenants).allMatch(i -> storage.hasTable("tenant-" + i, STREAM)));
            // The round is over when the next one begins
            job.send(Records.value(0, 1000, "tenant-0", NOW, "{\"a\":1}"));
            job.until(() -> hasColumn("tenant-0", "a"));
            assertThat(storage.declared()).allMatch(size -> size <= 100);
            int before = storage.declared().size();
            for (int i = 0; i < tenants; i++) {
                job.send(0, 2000 + i, "tenant-" + i, NOW);
                if (i % 100 == 0) {
                    job.checkpoint();
                }
            }
            job.send(Records.value(0, 3000, "tenant-1", NOW, "{\"b\":1}"));
            job.until(() -> hasColumn("tenant-1", "b"));
            assertThat(storage.declared().subList(before, storage.declared().size()))
                    .as("of the tenant with a new member: what there is, and what is added")
                    .isSubsetOf(1)
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    private boolean hasColumn(String tenantId, String name) {
        return storage.hasTable(tenantId, STREAM)
                && storage.columns(tenantId, STREAM).contains(name);
    }

    /** Name and type of the columns that are not declared, in the order they were added. */
    private List<String> columns(String tenantId) {
        return storage.table(tenantId, STREAM).schema().columns().stream()
                .filter(column -> !Set.of("tenant_id", "ts", "attributes", "code", "path", "error")
                        .contains(column.name()))
                .filter(column -> !column.name().startsWith("_"))
                .map(column -> column.name() + " " + column.type())
                .toList();
    }

    @Test
    void flushesBySize() throws Exception {
        try (Harness job = start(options(64 << 10, 1 << 20, 1 << 30))) {
            for (int i = 0; i < 5000; i++) {
                job.send(0, i, "acme", NOW);
            }
            job.checkpoint();

            List<TableFlush> flushes = job.flushes();
            assertThat(flushes).hasSizeGreaterThan(2);
            for (int i = 0; i < flushes.size(); i++) {
                long before = i == 0 ? 0 : flushes.get(i - 1).flush().to();
                assertThat(flushes.get(i).flush().from()).isEqualTo(before);
                assertThat(flushes.get(i).number()).isEqualTo(i);
            }
            storage.commit(
                    "acme", STREAM, flushes.stream().map(TableFlush::flush).toList());
            long flushed = flushes.getLast().flush().to();
            assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, flushed));
        }
    }

    @Test
    @Timeout(60)
    void flushesWhatIsAskedForWhenAllOfItIsThere() throws Exception {
        storage.requestFlush("acme", STREAM, TableOffsets.of(Map.of(P0, 5L)));
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            job.send(0, 1, "other", NOW);
            job.send(0, 2, "acme", NOW);
            job.send(1, 2, "acme", NOW);
            long now = NOW;
            for (int tick = 0; tick < 10; tick++) {
                now += 1_000;
                job.at(now);
                Thread.sleep(20);
            }
            job.checkpoint();
            assertThat(job.flushes()).as("rows below 5 may still come").isEmpty();

            job.send(0, 4, "acme", NOW);
            while (job.flushes().isEmpty()) {
                now += 1_000;
                job.at(now);
                job.checkpoint();
            }
            job.send(0, 5, "acme", NOW);
            for (int tick = 0; tick < 10; tick++) {
                now += 1_000;
                job.at(now);
                Thread.sleep(20);
            }
            job.checkpoint();
            assertThat(job.flushes())
                    .as("neither other tenants and partitions, nor what came later")
                    .singleElement()
                    .satisfies(flush -> {
                        assertThat(flush.tenantId()).isEqualTo("acme");
                        assertThat(flush.flush().partitionId()).isEqualTo(P0);
                        assertThat(flush.flush().to()).isEqualTo(5);
                        assertThat(flush.flush().files().getFirst().summary().rowCount())
                                .isEqualTo(3);
                    });
        }
    }

    @Test
    void boundsMemory() throws Exception {
        try (Harness job = start(options(1 << 30, 64 << 10, 1 << 20))) {
            for (int i = 0; i < 20_000; i++) {
                job.send(0, i, "tenant-" + i % 7, NOW);
                assertThat(job.bufferedBytes()).isLessThan(1 << 20);
            }
            job.checkpoint();
            assertThat(job.flushes()).isNotEmpty();
        }
    }

    @Test
    void boundsMemoryOfFlushesUnderWay() throws Exception {
        try (Harness job = start(options(1 << 30, 1 << 10, 1 << 20))) {
            for (int i = 0; i < 20_000; i++) {
                job.send(0, i, "tenant-" + i / 200, NOW);
                assertThat(job.flushingBytes()).isLessThanOrEqualTo(1 << 20);
            }
            assertThat(job.flushes()).as("flushes that were waited for").isNotEmpty();
        }
    }

    @Test
    void flushesWhatHoldsArchivedThroughBack() throws Exception {
        BuildOptions lagging = new BuildOptions(
                DecodingPolicy.DEFAULT,
                DECLARED,
                64 << 20,
                8 << 20,
                0,
                0,
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                10_000,
                100,
                256 << 20,
                1L << 40,
                1,
                3);
        try (Harness job = start(lagging)) {
            job.send(0, 0, "quiet", NOW);
            for (int i = 1; i < 600; i++) {
                job.send(0, i, "loud", NOW);
            }
            job.at(NOW + 2000);
            job.checkpoint();
            assertThat(job.flushes()).extracting(TableFlush::tenantId).contains("quiet");
        }
    }

    @Test
    void capsAgedFlushesInACheckpoint() throws Exception {
        try (Harness job = start(options(64 << 20, 8 << 20, 256 << 20, 1L << 40, 20))) {
            for (int i = 0; i < 50; i++) {
                job.send(0, i, "tenant-" + i, NOW - 50 + i);
            }
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes())
                    .hasSize(20)
                    .extracting(TableFlush::tenantId)
                    .contains("tenant-0");
            job.at(NOW + Duration.ofHours(2).toMillis() + 2000);
            job.checkpoint();
            assertThat(job.flushes()).hasSize(40);
        }
    }

    /** A barrier waits for all flushes in progress, so only some of many due flushes are ordered at a time. */
    @Test
    void barriersComeInBetweenFlushesThatAreDueAtOnce() throws Exception {
        int tenants = 100;
        try (Harness job = start(options())) {
            for (int i = 0; i < tenants; i++) {
                job.send(0, i, "tenant-" + i, NOW);
            }
            long twoHoursLater = NOW + Duration.ofHours(2).toMillis();
            job.at(twoHoursLater);
            job.checkpoint();
            assertThat(job.flushes()).hasSize(32);
            for (int tick = 1; tick <= 3; tick++) {
                job.at(twoHoursLater + tick * 100L);
                job.checkpoint();
            }
            assertThat(job.flushes()).as("the rest a little later").hasSize(tenants);
        }
    }

    @Test
    void keepsEveryRowOnceThroughCheckpointsAndRescaling() throws Exception {
        OperatorSubtaskState state;
        try (Harness job = start(options())) {
            for (int i = 0; i < 100; i++) {
                job.send(i % 4, i / 4, "tenant-" + i % 3, NOW);
                if (i % 30 == 29) {
                    job.checkpoint();
                }
            }
            state = job.checkpoint();
            // Rows after the checkpoint are read again after the restart.
            job.send(0, 25, "tenant-0", NOW);
        }
        List<TableFlush> flushes = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            try (Harness job = restore(options(), state, 2, subtask)) {
                for (int partition = 0; partition < 4; partition++) {
                    if (job.owns(partition)) {
                        job.send(partition, 24, "tenant-" + partition % 3, NOW); // was read before
                        job.send(partition, 25, "tenant-0", NOW);
                    }
                }
                job.at(NOW + Duration.ofHours(2).toMillis());
                job.checkpoint();
                flushes.addAll(job.flushes());
            }
        }
        int rows = 0;
        for (int tenant = 0; tenant < 3; tenant++) {
            String tenantId = "tenant-" + tenant;
            storage.commit(
                    tenantId,
                    STREAM,
                    flushes.stream()
                            .filter(flush -> flush.tenantId().equals(tenantId))
                            .map(TableFlush::flush)
                            .toList());
            List<String> found = storage.rows(tenantId, STREAM);
            assertThat(found).doesNotHaveDuplicates();
            rows += found.size();
        }
        assertThat(rows).isEqualTo(104);
    }

    @Test
    void leavesOutRowsThatAreInTheTable() throws Exception {
        OperatorSubtaskState old;
        try (Harness job = start(options())) {
            for (int i = 0; i < 10; i++) {
                job.send(0, i, "acme", NOW);
            }
            old = job.checkpoint();
            for (int i = 10; i < 20; i++) {
                job.send(0, i, "acme", NOW);
            }
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            storage.commit("acme", STREAM, List.of(job.flushes().getFirst().flush()));
        }
        // From the checkpoint before: its rows, and those read again, are in the table.
        try (Harness job = restore(options(), old, 1, 0)) {
            for (int i = 10; i < 25; i++) {
                job.send(0, i, "acme", NOW);
            }
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            TableFlush flush = job.flushes().getFirst();
            assertThat(flush.flush().from()).isEqualTo(20);
            assertThat(flush.flush().files().getFirst().summary().rowCount()).isEqualTo(5);
            storage.commit("acme", STREAM, List.of(flush.flush()));
        }
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, 25));
    }

    @Test
    void failsIfTheStateLacksRows() throws Exception {
        OperatorSubtaskState state = stateWithoutChunks();
        try (Harness job = restore(options(), state, 1, 0)) {
            assertThatThrownBy(() -> job.at(NOW + Duration.ofHours(2).toMillis()))
                    .isInstanceOf(MissingChunksException.class)
                    .hasMessageStartingWith("The state lacks rows of tenant 'a/b' from logs-");
        }
    }

    @SuppressWarnings("try") // the harness may throw InterruptedException as it closes
    private static OperatorSubtaskState stateWithoutChunks() throws Exception {
        try (var operator = new KeyedOneInputStreamOperatorTestHarness<>(
                new TenantsWithoutChunks(),
                PartitionEvent::partition,
                LogPartition.TYPE,
                PartitionSpread.MAX_PARALLELISM,
                1,
                0)) {
            operator.setStateBackend(new EmbeddedRocksDBStateBackend());
            operator.open();
            operator.processElement(Records.batch(Records.json(0, 0, "a/b", NOW)), 0);
            return operator.snapshot(1, 0);
        }
    }

    /** Leaves the state of a builder whose chunks are lost. */
    private static final class TenantsWithoutChunks extends AbstractStreamOperator<TableFlush>
            implements OneInputStreamOperator<PartitionEvent, TableFlush> {
        private static final long serialVersionUID = 1;

        @Override
        public void processElement(StreamRecord<PartitionEvent> element) throws Exception {
            KeyedStateStore store = getKeyedStateStore();
            store.getMapState(
                            new MapStateDescriptor<>("tenants", StringSerializer.INSTANCE, new TenantStateSerializer()))
                    .put(
                            "a/b",
                            new TenantState(
                                    0,
                                    1,
                                    UndeclaredRows.NONE,
                                    List.of(new ChunkRange(0, 1, 0, NOW * 1000, NOW, 0, 100))));
            store.getState(new ValueStateDescriptor<>("partition", new PartitionStateSerializer()))
                    .update(new PartitionState(1, 0, 0, 0));
        }
    }

    @Test
    void startsAtArchivedThroughWithoutACheckpoint() throws Exception {
        storage.advanceArchivedThrough(STREAM, Map.of(P0, 10L));
        try (Harness job = start(options())) {
            for (int i = 5; i < 15; i++) {
                job.send(0, i, "acme", NOW);
            }
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            TableFlush flush = job.flushes().getFirst();
            assertThat(flush.flush().from()).isEqualTo(10);
            storage.commit("acme", STREAM, List.of(flush.flush()));
        }
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(10, 15));
    }

    @Test
    void keepsAndRetriesRowsThatCannotBeWritten() throws Exception {
        storage.breakTenant("broken");
        try (Harness job = start(options())) {
            job.send(0, 0, "broken", NOW);
            job.send(0, 1, "fine", NOW);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).extracting(TableFlush::tenantId).containsExactly("fine");
            assertThat(job.progress().getLast().lowestUnflushed()).isZero();

            job.send(0, 2, "broken", NOW);
            storage.mendTenant("broken");
            job.at(NOW + Duration.ofHours(3).toMillis());
            OperatorSubtaskState state = job.checkpoint();
            assertThat(state.hasState()).isTrue();
            TableFlush flush = job.flushes().getLast();
            storage.commit("broken", STREAM, List.of(flush.flush()));
        }
        assertThat(storage.rows("broken", STREAM)).containsExactly("0/000000/0", "0/000002/0");
    }

    /** Timers go on, as they wait for how far away their time was. */
    @Test
    @Timeout(60)
    void waitsNoLongerWhereTheClockIsSetBack() throws Exception {
        storage.breakTenant("broken");
        try (Harness job = start(options())) {
            job.send(0, 0, "broken", NOW);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).isEmpty();

            clock.set(Duration.ofHours(-30));
            storage.mendTenant("broken");
            job.at(NOW + Duration.ofHours(2).plusSeconds(5).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).as("the retry").hasSize(1);

            job.send(0, 1, "acme", NOW);
            storage.requestFlush("acme", STREAM, TableOffsets.of(Map.of(P0, 2L)));
            long asked = NOW + Duration.ofHours(2).plusSeconds(5).toMillis();
            long now = asked;
            while (job.flushes().size() < 2) {
                now += 1000;
                job.at(now);
                job.checkpoint();
            }
            assertThat(now - asked)
                    .as("until it is asked for")
                    .isLessThan(Duration.ofMinutes(20).toMillis());

            job.send(0, 2, "other", NOW);
            clock.set(Duration.ofHours(-60));
            job.at(now + Duration.ofMinutes(30).toMillis());
            clock.set(Duration.ofHours(-90));
            job.at(now + Duration.ofMinutes(61).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).as("old rows").hasSize(3);
        }
    }

    @Test
    void goesOnWaitingFromACheckpointUnderAnotherClock() throws Exception {
        OperatorSubtaskState state;
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            state = job.checkpoint();
        }
        // Its ticks begin anew, and so may be less than those of the job before
        clock.set(Duration.ofDays(1));
        try (Harness job = restore(options(), state, 1, 0)) {
            job.at(NOW + 2000);
            job.checkpoint();
            assertThat(job.flushes()).as("a day later").hasSize(1);
        }
    }

    @Test
    void flushesABacklogInParts() throws Exception {
        long flushBytes = 64 << 10;
        storage.breakTenant("acme");
        OperatorSubtaskState state;
        try (Harness job = start(options(flushBytes, 8 << 10, 1 << 30))) {
            for (int i = 0; i < 20_000; i++) {
                job.send(0, i, "acme", NOW);
                if (i % 3000 == 2999) {
                    job.checkpoint();
                }
            }
            state = job.checkpoint();
            assertThat(job.flushes()).isEmpty();
        }
        storage.mendTenant("acme");
        try (Harness job = restore(options(flushBytes, 8 << 10, 1 << 30), state, 1, 0)) {
            for (int tick = 1; tick <= 200; tick++) {
                job.at(NOW + Duration.ofHours(2).toMillis() + tick * 1000L);
                job.checkpoint();
            }
            List<TableFlush> flushes = job.flushes();
            assertThat(flushes).hasSizeGreaterThan(5);
            long to = 0;
            for (TableFlush flush : flushes) {
                assertThat(flush.flush().from()).isEqualTo(to);
                to = flush.flush().to();
            }
            assertThat(to).isEqualTo(20_000);
            long most = flushes.stream()
                    .mapToLong(
                            flush -> flush.flush().files().getFirst().summary().rowCount())
                    .max()
                    .orElseThrow();
            assertThat(most).isLessThan(20_000 / 4);
            storage.commit(
                    "acme", STREAM, flushes.stream().map(TableFlush::flush).toList());
        }
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, 20_000));
    }

    @Test
    void flushesRowsOfManyDaysInParts() throws Exception {
        int rows = 1600;
        OperatorSubtaskState state;
        List<TableFlush> flushes = new ArrayList<>();
        try (Harness job = start(options())) {
            for (int i = 0; i < rows; i++) {
                // A day later each time, there and back; a checkpoint in between makes chunks.
                long day = i % 2 == 0 ? 10_000 + i : 20_800 - i;
                job.harness.processElement(
                        Records.batch(Records.value(
                                0, i, "acme", NOW, "{\"ts\":%d,\"n\":%d}".formatted(day * 86_400_000_000L, i))),
                        0);
                if (i % 400 == 399) {
                    job.checkpoint();
                }
            }
            job.at(NOW + Duration.ofHours(2).toMillis());
            state = job.checkpoint();
            flushes.addAll(job.flushes());
            // Read back and decoded once.
            assertThat(flushes).hasSize(FlushBuilder.MAX_FLUSHES);
            assertThat(job.progress().getLast().lowestUnflushed())
                    .isEqualTo(flushes.getLast().flush().to())
                    .isLessThan(rows);
        }
        try (Harness job = restore(options(), state, 1, 0)) {
            for (int tick = 1; tick <= 10; tick++) {
                job.at(NOW + Duration.ofHours(3).toMillis() + tick * 1000L);
                job.checkpoint();
            }
            flushes.addAll(job.flushes());
            assertThat(job.progress().getLast().lowestUnflushed()).isEqualTo(rows);
        }
        long to = 0;
        for (TableFlush flush : flushes) {
            assertThat(flush.flush().from()).isEqualTo(to);
            assertThat(flush.flush().files()).hasSizeLessThanOrEqualTo(FlushBuilder.MAX_DAYS);
            to = flush.flush().to();
        }
        assertThat(flushes).hasSize(5);
        storage.commit("acme", STREAM, flushes.stream().map(TableFlush::flush).toList());
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, rows));
    }

    @Test
    void requeuesAPartOfABacklogIfItCannotBeWritten() throws Exception {
        storage.breakTenant("acme");
        try (Harness job = start(options(64 << 10, 8 << 10, 1 << 30))) {
            for (int i = 0; i < 10_000; i++) {
                job.send(0, i, "acme", NOW);
                if (i % 1000 == 999) {
                    job.at(NOW + i * 100L);
                    job.checkpoint();
                }
            }
            storage.mendTenant("acme");
            for (int tick = 1; tick <= 100; tick++) {
                job.at(NOW + Duration.ofHours(2).toMillis() + tick * 1000L);
                job.checkpoint();
            }
            storage.commit(
                    "acme",
                    STREAM,
                    job.flushes().stream().map(TableFlush::flush).toList());
        }
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, 10_000));
    }

    @Test
    void readsSlowlyWhileTooManyRowsWait() throws Exception {
        storage.breakTenant("acme");
        try (Harness job = start(options(64 << 10, 8 << 10, 1 << 30, 32 << 10))) {
            for (int i = 0; i < 1000; i++) {
                job.send(0, i, "acme", NOW);
            }
            // Takes back what the flush under way could not write
            job.checkpoint();
            job.at(NOW + 1000);
            assertThat(job.waitingBytes()).isGreaterThan(32 << 10);
            assertThat(job.pauseMillis(1 << 20)).isGreaterThanOrEqualTo(1000);
            storage.mendTenant("acme");
            for (int tick = 1; tick <= 20; tick++) {
                job.at(NOW + Duration.ofHours(2).toMillis() + tick * 1000L);
                job.checkpoint();
            }
            assertThat(job.waitingBytes()).isZero();
            assertThat(job.pauseMillis(1 << 20)).isZero();
        }
    }

    /** Timers and flushes that are done wait while an element is taken in. */
    @Test
    void pausesOnceForRecordsThatCameTogether() throws Exception {
        storage.breakTenant("acme");
        try (Harness job = start(options(64 << 10, 8 << 10, 1 << 30, 32 << 10))) {
            for (int i = 0; i < 1000; i++) {
                job.send(0, i, "acme", NOW);
            }
            job.checkpoint();
            job.at(NOW + 1000);
            assertThat(job.pauseMillis(1 << 20)).isGreaterThanOrEqualTo(1000);
            long before = System.nanoTime();
            job.harness.processElement(
                    Records.batch(IntStream.range(1000, 1030)
                            .mapToObj(offset -> Records.json(0, offset, "acme", NOW))
                            .toArray(RecordBatch[]::new)),
                    0);
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
        }
    }

    /** After a restart the source may begin below the position; large rows fill buffers in the middle of a run. */
    @Test
    void takesEachRecordOfARunOnce() throws Exception {
        RecordBatch[] records = IntStream.range(0, 1200)
                .mapToObj(offset -> Records.json(0, offset, offset % 2 == 0 ? "acme" : "other", NOW))
                .toArray(RecordBatch[]::new);
        try (Harness job = start(options(16 << 10, 2 << 10, 1 << 30, 1 << 30))) {
            job.harness.processElement(Records.batch(Arrays.copyOfRange(records, 0, 900)), 0);
            job.harness.processElement(Records.batch(Arrays.copyOfRange(records, 700, 1200)), 0);
            for (int tick = 1; tick <= 3; tick++) {
                job.at(NOW + Duration.ofHours(2).toMillis() + tick * 1000L);
                job.checkpoint();
            }
            assertThat(job.flushes()).hasSizeGreaterThan(4);
            for (String tenant : List.of("acme", "other")) {
                storage.commit(
                        tenant,
                        STREAM,
                        job.flushes().stream()
                                .filter(flush -> flush.tenantId().equals(tenant))
                                .map(TableFlush::flush)
                                .toList());
            }
        }
        assertThat(storage.rows("acme", STREAM)).hasSize(600).doesNotHaveDuplicates();
        assertThat(storage.rows("other", STREAM)).hasSize(600).doesNotHaveDuplicates();
    }

    /** A job that was behind reads for an hour what is not due yet: that must not slow it down. */
    @Test
    void writesTheLargestBeforeTooManyRowsWait() throws Exception {
        long maxWaiting = 64 << 10;
        try (Harness job = start(options(64 << 20, 8 << 20, 1 << 30, maxWaiting))) {
            for (int i = 0; i < 3000; i++) {
                job.send(
                        0,
                        i,
                        i % 10 == 0 ? "small" : "large",
                        NOW - Duration.ofHours(5).toMillis());
            }
            job.at(NOW + 1000);
            job.checkpoint();
            assertThat(job.flushes()).extracting(TableFlush::tenantId).containsExactly("large");
            job.at(NOW + 2000);
            assertThat(job.waitingBytes()).isBetween(1L, maxWaiting);
            assertThat(job.pauseMillis(1 << 20)).isZero();
        }
    }

    @Test
    void sendsWhatItCannotDecodeToTheDeadLetters() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(
                    Records.batch(
                            Records.value(0, 0, "acme", NOW, "not json"),
                            Records.value(0, 1, "", NOW, "{\"n\":1}"),
                            Records.json(0, 2, "acme", NOW)),
                    0);
            job.checkpoint();
            assertThat(job.deadLetters())
                    .extracting(DeadLetter::reason)
                    .containsExactly("MALFORMED_JSON", "MISSING_TENANT");
            assertThat(job.progress().getLast().lowestUnflushed()).isEqualTo(2);
        }
    }

    @Test
    void sendsTheBadLinesOfABatchToTheDeadLetters() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(Records.lines(0, 0, "acme", NOW, "{\"n\":1}\nnot json\n\n{\"n\":2}\n[3]"), 0);
            job.harness.processElement(Records.json(0, 1, "acme", NOW), 0);
            assertThat(job.deadLetters())
                    .extracting(letter -> new String(letter.record().value(), UTF_8))
                    .containsExactly("not json", "[3]");
            assertThat(job.deadLetters())
                    .extracting(letter -> letter.line().getAsInt())
                    .containsExactly(2, 5);
            assertThat(job.deadLetters().getFirst().message()).startsWith("Line 2: ");
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes())
                    .singleElement()
                    .satisfies(flush -> assertThat(
                                    flush.flush().files().getFirst().summary().rowCount())
                            .isEqualTo(3));
        }
    }

    /** A record of 16 MB has room for millions of bad lines. */
    @Test
    void sendsVeryManyBadLinesTogether() throws Exception {
        try (Harness job = start(options())) {
            job.harness.processElement(Records.lines(0, 0, "acme", NOW, "x\n".repeat(250) + "y"), 0);
            job.harness.processElement(Records.lines(0, 1, "acme", NOW, "z"), 0);
            assertThat(job.deadLetters()).hasSize(BadLineLetters.MAX_SINGLE_LETTERS + 2);
            DeadLetter together = job.deadLetters().get(BadLineLetters.MAX_SINGLE_LETTERS);
            assertThat(together.record().value()).asString(UTF_8).isEqualTo("x\n".repeat(150) + "y\n");
            assertThat(together.line()).hasValue(101);
            assertThat(together.message()).startsWith("151 lines; line 101: ");
            assertThat(together.record().contentType()).asString(UTF_8).isEqualTo("application/x-ndjson");
            assertThat(job.deadLetters().getLast().record().value())
                    .asString(UTF_8)
                    .isEqualTo("z");
        }
    }

    @Test
    void passesOffsetsThatHoldNoRecord() throws Exception {
        OperatorSubtaskState state;
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            job.emptyBelow(0, 60);
            job.emptyBelow(0, 50); // late news
            job.emptyBelow(1, 70); // of a partition that never had a record
            job.at(NOW + Duration.ofHours(2).toMillis());
            state = job.checkpoint();
            assertThat(job.progress())
                    .containsExactlyInAnyOrder(
                            new Progress(partition(0), 1, 60, Long.MAX_VALUE),
                            new Progress(partition(1), 0, 70, Long.MAX_VALUE));
            assertThat(job.flushes())
                    .singleElement()
                    .satisfies(flush -> assertThat(flush.flush().to()).isEqualTo(60));
            storage.commit("acme", STREAM, List.of(job.flushes().getFirst().flush()));
        }
        try (Harness job = restore(options(), state, 1, 0)) {
            job.send(0, 60, "acme", NOW);
            job.send(1, 70, "acme", NOW);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.progress())
                    .contains(
                            new Progress(partition(0), 2, 61, Long.MAX_VALUE),
                            new Progress(partition(1), 1, 71, Long.MAX_VALUE));
            storage.commit(
                    "acme",
                    STREAM,
                    job.flushes().stream().map(TableFlush::flush).toList());
        }
        assertThat(storage.rows("acme", STREAM)).containsExactly("0/000000/0", "0/000060/0", "1/000070/0");
    }

    @Test
    void keepsRowsBelowOffsetsThatHoldNoRecord() throws Exception {
        try (Harness job = start(options())) {
            job.send(0, 5, "acme", NOW);
            job.emptyBelow(0, 60);
            job.checkpoint();
            assertThat(job.progress()).containsExactly(new Progress(partition(0), 0, 5, NOW * 1000));
        }
    }

    @Test
    void flushesRowsOfATopicThatHasEnded() throws Exception {
        OperatorSubtaskState state;
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            state = job.checkpoint();
        }
        try (Harness job = restore(options(), state, 1, 0)) {
            job.emptyBelow(0, TableOffsets.END);
            job.emptyBelow(1, TableOffsets.END); // of which nothing is held
            job.at(NOW + 1_000);
            state = job.checkpoint();
            assertThat(job.flushes())
                    .as("nothing is left to wait for")
                    .singleElement()
                    .satisfies(flush -> assertThat(flush.flush().to()).isEqualTo(TableOffsets.END));
            assertThat(job.progress())
                    .containsExactlyInAnyOrder(
                            new Progress(partition(0), 1, TableOffsets.END, Long.MAX_VALUE),
                            new Progress(partition(1), 0, TableOffsets.END, Long.MAX_VALUE));
            storage.commit("acme", STREAM, List.of(job.flushes().getFirst().flush()));
        }
        assertThat(storage.rows("acme", STREAM)).isEqualTo(identities(0, 1));
        assertThat(storage.tableOffset("acme", STREAM, P0)).isEqualTo(TableOffsets.END);
        try (Harness job = restore(options(), state, 1, 0)) {
            job.emptyBelow(0, TableOffsets.END);
            job.at(NOW + Duration.ofHours(2).toMillis());
            job.checkpoint();
            assertThat(job.flushes()).isEmpty();
        }
    }

    @Test
    void aDeletedTenantDoesNotComeBackWithRowsThatWaited() throws Exception {
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            job.send(0, 1, "acme", NOW);
            job.send(0, 2, "other", NOW);
            job.checkpoint();
            flush(job, 0);
            job.send(0, 3, "acme", NOW);
            job.checkpoint();
            // Neighbours move the position on, past the floor.
            storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 4L)));
            job.send(0, 4, "other", NOW);
            job.at(NOW + 1_000);
            assertThat(storage.hasTable("acme", STREAM)).isFalse();
            flush(job, 1);
            assertThat(storage.hasTable("acme", STREAM)).isFalse();
            job.send(0, 5, "acme", NOW + 1);
            flush(job, 2);
        }
        assertThat(storage.rows("acme", STREAM)).containsExactly("0/000005/0");
    }

    @Test
    void rowsOnBothSidesOfAFloorBringTheColumnsOfTheUpperOnesAlone() throws Exception {
        try (Harness job = start(options())) {
            job.send(0, 0, "acme", NOW);
            flush(job, 0);
            job.send(Records.value(0, 1, "acme", NOW, "{\"secret\":\"a\"}"));
            storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 2L)));
            job.send(Records.value(0, 2, "acme", NOW, "{\"level\":\"b\"}"));
            flush(job, 1);
        }
        assertThat(storage.rows("acme", STREAM)).containsExactly("0/000002/0");
        assertThat(storage.columns("acme", STREAM)).contains("level").doesNotContain("secret");
    }

    /** Flushes what waits, hours later, and commits the flushes that are new. */
    private void flush(Harness job, int hours) throws Exception {
        int before = job.flushes().size();
        job.at(NOW + Duration.ofHours(2L * (hours + 1)).toMillis());
        job.checkpoint();
        Map<String, List<Flush>> byTenant = new TreeMap<>();
        for (TableFlush flush : job.flushes().subList(before, job.flushes().size())) {
            byTenant.computeIfAbsent(flush.tenantId(), any -> new ArrayList<>()).add(flush.flush());
        }
        for (Map.Entry<String, List<Flush>> tenant : byTenant.entrySet()) {
            assertThat(storage.commit(tenant.getKey(), STREAM, tenant.getValue()))
                    .extracting(CommitOutcome::status)
                    .isSubsetOf(CommitOutcome.Status.COMMITTED, CommitOutcome.Status.ALREADY_THERE);
        }
    }

    private static List<String> identities(long from, long to) {
        return LongStream.range(from, to).mapToObj("0/%06d/0"::formatted).toList();
    }

    private static LogPartition partition(int number) {
        return new LogPartition(STREAM, TOPIC_ID, number);
    }

    private static BuildOptions options() {
        return options(64 << 20, 8 << 20, 256 << 20);
    }

    private static BuildOptions options(long flushBytes, long smallBytes, long bufferBytes) {
        return options(flushBytes, smallBytes, bufferBytes, 1L << 40);
    }

    private static BuildOptions options(long flushBytes, long smallBytes, long bufferBytes, long maxWaitingBytes) {
        return options(flushBytes, smallBytes, bufferBytes, maxWaitingBytes, 100);
    }

    private static BuildOptions options(
            long flushBytes, long smallBytes, long bufferBytes, long maxWaitingBytes, int maxAgedFlushes) {
        return options(
                DecodingPolicy.DEFAULT,
                DECLARED,
                Duration.ofHours(1),
                flushBytes,
                smallBytes,
                bufferBytes,
                maxWaitingBytes,
                maxAgedFlushes);
    }

    /** Of a job that flushes nothing by age. */
    private static BuildOptions patient(int maxFields) {
        DecodingPolicy policy =
                new DecodingPolicy("", DecodingPolicy.DEFAULT.window(), Map.of(), Map.of(), maxFields, false);
        return options(policy, DECLARED, Duration.ofDays(3650));
    }

    private static BuildOptions options(DecodingPolicy policy, DeclaredColumns declared, Duration maxAge) {
        return options(policy, declared, maxAge, 64 << 20, 8 << 20, 256 << 20, 1L << 40, 100);
    }

    private static BuildOptions options(
            DecodingPolicy policy,
            DeclaredColumns declared,
            Duration maxAge,
            long flushBytes,
            long smallBytes,
            long bufferBytes,
            long maxWaitingBytes,
            int maxAgedFlushes) {
        return new BuildOptions(
                policy,
                declared,
                flushBytes,
                smallBytes,
                0,
                0,
                Duration.ofMinutes(1),
                maxAge,
                maxAge,
                1 << 30,
                maxAgedFlushes,
                bufferBytes,
                maxWaitingBytes,
                1,
                3);
    }

    private Harness start(BuildOptions options) throws Exception {
        Harness job = new Harness(options, 1, 0);
        job.harness.open();
        return job;
    }

    private Harness restore(BuildOptions options, OperatorSubtaskState state, int parallelism, int subtask)
            throws Exception {
        Harness job = new Harness(options, parallelism, subtask);
        job.harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                state, PartitionSpread.MAX_PARALLELISM, 1, parallelism, subtask));
        job.harness.open();
        return job;
    }

    /** The operator on its own. */
    private final class Harness implements AutoCloseable {
        private final KeyedOneInputStreamOperatorTestHarness<LogPartition, PartitionEvent, TableFlush> harness;
        private final int parallelism;
        private final int subtask;

        Harness(BuildOptions options, int parallelism, int subtask) throws Exception {
            this.parallelism = parallelism;
            this.subtask = subtask;
            harness = new KeyedOneInputStreamOperatorTestHarness<>(
                    new BuildOperatorFactory(options, storage.factory(), Reports::new, "", clock),
                    PartitionEvent::partition,
                    LogPartition.TYPE,
                    PartitionSpread.MAX_PARALLELISM,
                    parallelism,
                    subtask);
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
            harness.setProcessingTime(NOW);
        }

        boolean owns(int number) {
            return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            partition(number), PartitionSpread.MAX_PARALLELISM, parallelism)
                    == subtask;
        }

        void send(int number, long offset, String tenantId, long appendMillis) throws Exception {
            harness.processElement(Records.batch(Records.json(number, offset, tenantId, appendMillis)), 0);
        }

        void send(RecordBatch record) throws Exception {
            harness.processElement(Records.batch(record), 0);
        }

        void emptyBelow(int number, long offset) throws Exception {
            harness.processElement(new StreamRecord<>(new OffsetAdvance(partition(number), offset)));
        }

        void at(long millis) throws Exception {
            harness.setProcessingTime(millis);
        }

        /** Lets time pass until something has happened beside the task thread. */
        void until(BooleanSupplier condition) throws Exception {
            while (!condition.getAsBoolean()) {
                at(harness.getProcessingTime() + 50);
                Thread.sleep(1); // Leaves a processor to what is waited for; how long it takes does not matter.
            }
        }

        OperatorSubtaskState checkpoint() throws Exception {
            checkpoint++;
            harness.prepareSnapshotPreBarrier(checkpoint);
            return harness.snapshot(checkpoint, 0);
        }

        List<TableFlush> flushes() {
            return harness.extractOutputValues();
        }

        List<Progress> progress() {
            return side(BuildOperatorFactory.PROGRESS);
        }

        List<DeadLetter> deadLetters() {
            return side(BuildOperatorFactory.DEAD_LETTERS);
        }

        private <T> List<T> side(OutputTag<T> tag) {
            var output = harness.getSideOutput(tag);
            return output == null
                    ? List.of()
                    : output.stream().map(StreamRecord::getValue).toList();
        }

        long failedDeclarations() {
            return ((BuildOperator) harness.getOperator()).failedDeclarations();
        }

        long waitingBytes() {
            return ((BuildOperator) harness.getOperator()).throttle().waiting();
        }

        long pauseMillis(int bytes) {
            return ((BuildOperator) harness.getOperator()).throttle().pauseMillis(bytes);
        }

        long bufferedBytes() {
            return ((BuildOperator) harness.getOperator()).budget().bufferedBytes();
        }

        long flushingBytes() {
            return ((BuildOperator) harness.getOperator()).budget().flushingBytes();
        }

        @Override
        public void close() {
            try {
                harness.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
