package io.cordwood.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.DenseAfter;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.compaction.job.Count;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job on a real Flink, a real catalog service and real LogBlocks. */
class CompactionIT {
    private static final long HOUR = 3_600_000_000L;
    private static final int DAY = 20_000;

    @TempDir
    private Path directory;

    private CompactedTables tables;
    private Duration snapshotGrace = Duration.ofHours(1);
    private OptionalInt denseAfterDays = OptionalInt.empty();

    @BeforeEach
    void start() throws IOException {
        tables = CompactedTables.start(directory);
    }

    @AfterEach
    void stop() {
        tables.close();
    }

    @Test
    void onceMergesEachDayOfEachTable() throws Exception {
        for (int hour = 0; hour < 12; hour++) {
            for (int partition = 0; partition < 2; partition++) {
                for (int day = DAY; day < DAY + 3; day++) {
                    tables.flush("acme", partition, day, hour * HOUR, (hour + 1) * HOUR, 200, hour * 31L + day);
                }
                tables.flush("other", partition, DAY, hour * HOUR, (hour + 1) * HOUR, 30, hour);
            }
        }
        tables.flush("single", 0, DAY, 0, HOUR, 10, 7);
        List<String> acme = tables.rows("acme");
        List<String> other = tables.rows("other");
        TableOffsets offsets = tables.offsets("acme");

        Map<Count, Long> counts = runOnce(Optional.empty());

        assertThat(tables.rows("acme")).hasSize(14_400).isEqualTo(acme);
        assertThat(tables.rows("other")).hasSize(720).isEqualTo(other);
        assertThat(tables.offsets("acme")).isEqualTo(offsets);
        assertThat(tables.files("acme")).hasSize(3);
        assertThat(tables.files("other")).hasSize(1);
        assertThat(tables.files("single")).hasSize(1);
        assertThat(counts)
                .containsEntry(Count.MERGES, 4L)
                .containsEntry(Count.FILES_READ, 96L)
                .containsEntry(Count.FILES_WRITTEN, 4L)
                .containsEntry(Count.ROWS, 15_120L)
                .containsEntry(Count.MERGES_FAILED, 0L);

        assertThat(runOnce(Optional.empty())).as("nothing is left to do").containsEntry(Count.MERGES, 0L);
    }

    @Test
    void daysBecomeDenseOnceAsTheirTableSays() throws Exception {
        for (String tenant : List.of("acme", "never", "others")) {
            for (int hour = 0; hour < 2; hour++) {
                tables.flush(tenant, 0, DAY, hour * HOUR, (hour + 1) * HOUR, 10_000, hour);
            }
        }
        int today = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay();
        tables.flush("acme", 0, today - 1, 0, HOUR, 5000, 2);
        tables.table("acme").updateProperties().set(DenseAfter.PROPERTY, "2").commit();
        tables.table("never").updateProperties().set(DenseAfter.PROPERTY, "0").commit();
        List<String> acme = tables.rows("acme");
        assertThat(runOnce(Optional.empty())).containsEntry(Count.MERGES, 3L);
        assertThat(dense("acme")).containsExactlyInAnyOrder(true, false);
        assertThat(dense("never")).containsExactly(false);
        assertThat(dense("others")).containsExactly(false);

        denseAfterDays = OptionalInt.of(2);
        assertThat(runOnce(Optional.empty()))
                .containsEntry(Count.MERGES, 1L)
                .containsEntry(Count.ROWS, 20_000L)
                .containsEntry(Count.FILES_DENSE, 1L);
        assertThat(dense("acme")).containsExactlyInAnyOrder(true, false);
        assertThat(dense("never")).containsExactly(false);
        assertThat(dense("others")).containsExactly(true);
        assertThat(runOnce(Optional.empty())).as("nothing is left to do").containsEntry(Count.MERGES, 0L);
        assertThat(tables.rows("acme")).isEqualTo(acme);
        assertThat(tables.rows("others")).hasSize(20_000);
        assertThat(textPages("others")).as("of 384 KB, and none was copied").isEqualTo(3);
        assertThat(textPages("acme")).isEqualTo(3);
        assertThat(textPages("never")).as("as they were flushed").isGreaterThan(100);
    }

    @Test
    void denseLogBlocksStayDenseWhenRowsAreDeleted() throws Exception {
        tables.flush("acme", 0, DAY, 0, HOUR, 10_000, 1);
        denseAfterDays = OptionalInt.of(2);
        assertThat(runOnce(Optional.empty())).containsEntry(Count.FILES_DENSE, 1L);
        tables.deleteRows("acme", tables.files("acme").getFirst(), 7, 5000);
        denseAfterDays = OptionalInt.empty();

        assertThat(runOnce(Optional.empty()))
                .containsEntry(Count.ROWS_REMOVED, 2L)
                .containsEntry(Count.FILES_DENSE, 1L);
        assertThat(dense("acme")).containsExactly(true);
        assertThat(tables.rows("acme")).hasSize(9998);
    }

    /** The others do not wait for them, and they are not forgotten. */
    @Test
    void mergesForTheLayoutWaitForTheTenthCycle() throws Exception {
        denseAfterDays = OptionalInt.of(2);
        tables.flush("acme", 0, DAY, 0, HOUR, 10_000, 1);
        tables.flush("other", 0, DAY, 0, HOUR, 10, 1);
        tables.flush("other", 0, DAY, HOUR, 2 * HOUR, 10, 1);

        runCycles(1, 9);
        assertThat(tables.files("other")).hasSize(1);
        assertThat(dense("acme")).containsExactly(false);

        runCycles(1, 10);
        assertThat(dense("acme")).containsExactly(true);
        assertThat(tables.rows("acme")).hasSize(10_000);
    }

    /** Runs cycles with these numbers, one after the other without a pause. */
    private void runCycles(long first, long last) throws Exception {
        CompactionOptions options = options(Optional.empty(), false);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(
                options.parallelism(), CompactionJob.configuration(options));
        List<Long> cycles = LongStream.rangeClosed(first, last).boxed().toList();
        CompactionJob.build(environment, options, environment.fromData(cycles).setParallelism(1));
        environment.execute();
    }

    /** Else one that is ahead would rewrite everything. */
    @Test
    void theEarliestClockDecidesWhenADayIsDue() throws Exception {
        denseAfterDays = OptionalInt.of(2);
        flushAt(Instant.EPOCH.plus(Duration.ofDays(DAY + 2)), 0);
        assertThat(runOnce(Optional.empty())).containsEntry(Count.FILES_DENSE, 0L);
        flushAt(Instant.EPOCH.plus(Duration.ofDays(DAY + 3)), HOUR);
        assertThat(runOnce(Optional.empty())).containsEntry(Count.FILES_DENSE, 1L);
    }

    /** Flushes rows that the brokers received at this time, and waits until the catalog service knows it. */
    private void flushAt(Instant brokersTime, long from) throws Exception {
        tables.setBrokersClock(brokersTime);
        tables.flush("acme", 0, DAY, from, from + HOUR, 10_000, 1);
        while (tables.client()
                .time()
                .appended()
                .filter(known -> !known.isBefore(brokersTime))
                .isEmpty()) {
            Thread.sleep(50);
        }
    }

    @Test
    void daysThatExpireSoonAreLeftAsTheyAre() throws Exception {
        int day = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay() - 10;
        tables.flush("acme", 0, day, 0, HOUR, 10_000, 1);
        denseAfterDays = OptionalInt.of(5);
        tables.client().putTenant(new Tenant("acme", OptionalInt.of(16), Map.of(), Quota.NONE, Map.of()));
        assertThat(runOnce(Optional.empty())).containsEntry(Count.MERGES, 0L);
        tables.client().putTenant(new Tenant("acme", OptionalInt.of(20), Map.of(), Quota.NONE, Map.of()));
        assertThat(runOnce(Optional.empty())).containsEntry(Count.FILES_DENSE, 1L);
    }

    private List<Boolean> dense(String tenantId) throws IOException {
        return tables.files(tenantId).stream()
                .map(file -> LogBlockNames.isDense(file.file().location()))
                .toList();
    }

    /** Of the LogBlock of the day. */
    private int textPages(String tenantId) throws IOException {
        return tables.textPages(
                tenantId,
                tables.files(tenantId).stream()
                        .filter(file -> file.file().partition().get(0, Integer.class) == DAY)
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void oneTenantAloneCanBeAskedFor() throws Exception {
        for (int hour = 0; hour < 3; hour++) {
            tables.flush("acme", 0, DAY, hour * HOUR, (hour + 1) * HOUR, 20, hour);
            tables.flush("other", 0, DAY, hour * HOUR, (hour + 1) * HOUR, 20, hour);
        }
        assertThat(runOnce(Optional.of("acme"))).containsEntry(Count.MERGES, 1L);
        assertThat(tables.files("acme")).hasSize(1);
        assertThat(tables.files("other")).hasSize(3);
    }

    @Test
    void deletedRowsAreGoneForGood() throws Exception {
        for (int hour = 0; hour < 3; hour++) {
            tables.flush("acme", 0, DAY, hour * HOUR, (hour + 1) * HOUR, 100, hour);
        }
        List<FileScanTask> files = tables.files("acme");
        tables.deleteRows("acme", files.get(0), 0, 1, 50, 99);
        tables.deleteRows("acme", files.get(1), 7);
        List<String> rows = tables.rows("acme");
        assertThat(rows).hasSize(295);

        assertThat(runOnce(Optional.empty())).containsEntry(Count.ROWS_REMOVED, 5L);

        assertThat(tables.rows("acme")).isEqualTo(rows);
        assertThat(tables.files("acme")).singleElement().satisfies(file -> {
            assertThat(file.deletes()).isEmpty();
            assertThat(file.file().recordCount()).isEqualTo(295);
        });
        assertThat(tables.table("acme").currentSnapshot().summary()).containsEntry("total-delete-files", "0");
    }

    /** Their rows may be in any order. What is beside them is merged, and what is deleted from them stays deleted. */
    @Test
    void filesOfOthersAreLeftAlone() throws Exception {
        for (int hour = 0; hour < 4; hour++) {
            tables.flush("acme", 0, DAY, hour * HOUR, (hour + 1) * HOUR, 100, hour);
        }
        Table table = tables.table("acme");
        DataFile logBlock = tables.files("acme").getFirst().file();
        Path copy = directory.resolve("00000-0-of-another-program.parquet");
        Files.copy(LocalFileIO.path(logBlock.location()), copy);
        DataFile foreign = DataFiles.builder(table.spec())
                .copy(logBlock)
                .withPath(LocalFileIO.location(copy))
                .build();
        table.newRewrite().deleteFile(logBlock).addFile(foreign).commit();
        FileScanTask rewritten = tables.files("acme").stream()
                .filter(file -> file.file().location().equals(foreign.location()))
                .findFirst()
                .orElseThrow();
        tables.deleteRows("acme", rewritten, 3, 4);
        List<String> rows = tables.rows("acme");
        assertThat(rows).hasSize(398);

        assertThat(runOnce(Optional.empty()))
                .containsEntry(Count.FILES_READ, 3L)
                .containsEntry(Count.MERGES_FAILED, 0L);

        assertThat(tables.rows("acme")).isEqualTo(rows);
        assertThat(tables.files("acme").stream().map(file -> file.file().location()))
                .hasSize(2)
                .contains(foreign.location());
    }

    @Test
    void aDayWithoutARowLeftHasNoLogBlock() throws Exception {
        tables.flush("acme", 0, DAY, 0, HOUR, 2, 1);
        tables.flush("acme", 0, DAY + 1, 0, HOUR, 2, 1);
        FileScanTask first = tables.files("acme").stream()
                .filter(file -> file.file().partition().get(0, Integer.class) == DAY)
                .findFirst()
                .orElseThrow();
        tables.deleteRows("acme", first, 0, 1);
        runOnce(Optional.empty());
        assertThat(tables.files("acme")).hasSize(1);
        assertThat(tables.rows("acme")).hasSize(2);
    }

    /**
     * The answer of every read, and at the end each row, while rows arrive, rows are deleted, and the job is killed.
     */
    @Test
    void mergesAmidCommitsDeletesAndKills() throws Exception {
        int today = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay();
        AtomicBoolean isDone = new AtomicBoolean();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        AtomicInteger deleted = new AtomicInteger();
        tables.flush("acme", 0, today, 0, HOUR, 50, 0);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Integer> flushes = threads.submit(() -> {
                int rows = 50;
                // Until a deletion has won against the merges and the flushes
                for (int flush = 0; flush < 150 || deleted.get() == 0 && flush < 1_500; flush++) {
                    int day = flush % 5 == 0 ? today - 1 : today;
                    tables.flush("acme", flush % 3, day, 0, 24 * HOUR, 50, flush);
                    rows += 50;
                    Thread.sleep(40);
                }
                isDone.set(true);
                return rows;
            });
            Future<Integer> reads = threads.submit((Callable<Integer>) () -> {
                int count = 0;
                long before = 0;
                while (!isDone.get()) {
                    int deletedBefore = deleted.get();
                    long rows = tables.files("acme").stream()
                            .mapToLong(file -> file.file().recordCount())
                            .sum();
                    assertThat(rows)
                            .as("rows after %d, seed %d", before, seed)
                            .isGreaterThanOrEqualTo(before - deletedBefore - 1);
                    before = rows;
                    count++;
                }
                return count;
            });
            int kills = 0;
            while (!isDone.get()) {
                try (CompactionCluster running =
                        CompactionCluster.start(options(Optional.empty(), false), "127.0.0.1", 0, "")) {
                    assertThat(running.dashboard()).isNotNull();
                    Thread.sleep(500 + random.nextInt(4000));
                    List<FileScanTask> files = tables.files("acme");
                    FileScanTask victim = files.get(random.nextInt(files.size()));
                    if (victim.deletes().isEmpty() && tables.deleteRows("acme", victim, 3)) {
                        deleted.incrementAndGet();
                    }
                }
                kills++;
            }
            assertThat(kills).isPositive();
            assertThat(deleted.get()).isPositive();
            int rows = flushes.get();
            assertThat(reads.get()).isPositive();
            runOnce(Optional.empty());
            assertThat(tables.rows("acme")).as("seed " + seed).hasSize(rows - deleted.get());
            // Two days, each in one merge or, if hardly any was done before, in two: a merge takes a bounded number of
            // inputs.
            assertThat(tables.files("acme")).as("seed " + seed).hasSizeBetween(2, 4);
        }
    }

    @Test
    void expiredDaysGoWithTheirObjects() throws Exception {
        int today = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay();
        tables.setBrokersClock(Instant.ofEpochSecond(Duration.ofDays(today).toSeconds()));
        for (int day = today - 29; day <= today; day++) {
            tables.flush("acme", 0, day, 0, HOUR, 10, day);
            tables.flush("other", 0, day, 0, HOUR, 10, day);
        }
        tables.client().putTenant(new Tenant("acme", OptionalInt.of(7), Map.of(), Quota.NONE, Map.of()));
        List<String> kept = tables.rows("acme").subList(22 * 10, 300);

        assertThat(runOnce(Optional.empty()))
                .containsEntry(Count.LOGBLOCKS_EXPIRED, 22L)
                .containsEntry(Count.ROWS_EXPIRED, 220L);

        assertThat(tables.rows("acme")).isEqualTo(kept);
        assertThat(tables.objects("acme")).hasSize(8);
        assertThat(tables.rows("other")).hasSize(300);
    }

    /** As if the clocks of both this host and the catalog service were ahead by thirty days. */
    @Test
    void daysAreKeptThatHaveNotExpiredByTheBrokersTime() throws Exception {
        int today = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay() - 30;
        tables.setBrokersClock(
                Instant.ofEpochSecond(Duration.ofDays(today).plusHours(12).toSeconds()));
        for (int day = today - 10; day <= today; day++) {
            tables.flush("acme", 0, day, 0, HOUR, 10, day);
        }
        tables.client().putTenant(new Tenant("acme", OptionalInt.of(7), Map.of(), Quota.NONE, Map.of()));
        List<String> kept = tables.rows("acme").subList(3 * 10, 110);

        assertThat(runOnce(Optional.empty())).containsEntry(Count.LOGBLOCKS_EXPIRED, 3L);
        assertThat(tables.rows("acme")).isEqualTo(kept);

        tables.flush("acme", 0, today, HOUR, 2 * HOUR, 10, 1);
        assertThat(tables.rows("acme")).as("rows that still arrive").hasSize(90);
    }

    @Test
    void objectsThatWereMergedGoWhenNoQueryCanReadThem() throws Exception {
        snapshotGrace = Duration.ofSeconds(1);
        for (int hour = 0; hour < 20; hour++) {
            tables.flush("acme", 0, DAY, hour * HOUR, (hour + 1) * HOUR, 10, hour);
        }
        List<String> rows = tables.rows("acme");
        try (CompactionCluster running =
                CompactionCluster.start(options(Optional.empty(), false), "127.0.0.1", 0, "")) {
            assertThat(running.dashboard()).isNotNull();
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (tables.objects("acme").size() > 1 && System.nanoTime() < deadline) {
                Thread.sleep(200);
            }
        }
        assertThat(tables.objects("acme")).hasSize(1);
        assertThat(tables.rows("acme")).isEqualTo(rows);
    }

    @Test
    void aTenantsDeletionIsGoneOnWith() throws Exception {
        tables.flush("acme", 0, DAY, 0, HOUR, 10, 1);
        tables.flush("other", 0, DAY, 0, HOUR, 10, 1);
        tables.client()
                .deleteTenant(
                        "acme", Map.of(CompactedTables.STREAM, TableOffsets.of(Map.of(tables.partition(0), 10L))));
        assertThat(tables.objects("acme")).hasSize(1);

        runOnce(Optional.empty());

        assertThat(tables.objects("acme")).isEmpty();
        assertThat(tables.client().tenantDeletions())
                .singleElement()
                .satisfies(deletion -> assertThat(deletion.isComplete()).isTrue());
        assertThat(tables.rows("other")).hasSize(10);
    }

    @Test
    void aCatalogThatIsDownIsSaidInOneLine() {
        CompactionOptions options = new CompactionOptions(
                URI.create("http://127.0.0.1:1"),
                Map.of(),
                List.of(CompactedTables.STREAM),
                Optional.empty(),
                true,
                Duration.ofSeconds(1),
                128 << 20,
                1L << 32,
                1,
                9,
                true,
                Duration.ofHours(1),
                Duration.ofDays(1),
                OptionalInt.empty());
        assertThatThrownBy(() -> CompactionCluster.start(options, "127.0.0.1", 0, ""))
                .isInstanceOf(CompactionException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    private Map<Count, Long> runOnce(Optional<String> tenantId) throws Exception {
        try (CompactionCluster cluster = CompactionCluster.start(options(tenantId, true), "127.0.0.1", 0, "")) {
            return cluster.await();
        }
    }

    private CompactionOptions options(Optional<String> tenantId, boolean isOnce) {
        return new CompactionOptions(
                tables.uri(),
                Map.of(),
                List.of(CompactedTables.STREAM),
                tenantId,
                isOnce,
                Duration.ofMillis(500),
                128 << 20,
                1L << 32,
                2,
                9,
                true,
                snapshotGrace,
                Duration.ofDays(1),
                denseAfterDays);
    }
}
