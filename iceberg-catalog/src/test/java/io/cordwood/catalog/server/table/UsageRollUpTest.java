package io.cordwood.catalog.server.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.ScanStore;
import io.cordwood.catalog.server.store.UsageStore;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.SqliteCatalog;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.catalog.usage.IngestTotals;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageJournal;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.write.LogBlockSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each commit of a table is added once, also if nobody was told of it, and one more time if it is told of again. */
class UsageRollUpTest {
    private static final PartitionId PARTITION = new PartitionId("topic-A", 0);
    private static final TableIdentifier TABLE = TableIdentifier.of(Namespace.of("acme"), "logs");
    private static final long HOUR = 480_000;

    @TempDir
    private Path directory;

    private OwnLocationCatalog catalog;
    private Database database;
    private final ServiceMetrics metrics = new ServiceMetrics();
    private UsageRollUp rollUp;
    private LogBlockCommitter committer;
    private long next;

    @BeforeEach
    void open() {
        String url = SqliteCatalog.url(directory);
        database = Database.open(url);
        catalog = new OwnLocationCatalog(database);
        catalog.initialize(Database.CATALOG_NAME, SqliteCatalog.properties(directory));
        rollUp = rollUpAt(HOUR);
        ensure("acme", List.of());
        committer = new LogBlockCommitter(
                catalog, (tenant, stream) -> TableOffsets.NONE, (tenant, stream, flush, first) -> List.of());
    }

    private UsageRollUp rollUpAt(long hour) {
        Instant now = Instant.ofEpochMilli(TimeUnit.HOURS.toMillis(hour));
        return new UsageRollUp(catalog.io(), database, metrics, InstantSource.fixed(now), InstantSource.fixed(now));
    }

    private TableMetadata ensure(String tenant, List<ColumnDefinition> columns) {
        return new TableProvisioning(catalog, database, new TableLocks(), rollUp)
                .ensure(tenant, "logs", columns, List.of(), Optional.empty())
                .table()
                .orElseThrow();
    }

    @AfterEach
    void close() {
        rollUp.close();
        database.close();
        catalog.close();
    }

    @Test
    void commitsThatNobodyToldOfAreFound() throws Exception {
        commit(10);
        commit(20);
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(30, 2));
        rollUp.settleAll();
        commit(5);
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(35, 3));
        assertThat(database.read(PointerStore::moved)).isEmpty();
    }

    @Test
    void columnsOfTablesThatAreGoneAreForgotten() {
        ensure("beta", List.of(ColumnDefinition.keyword("level")));
        ensure("gamma", List.of(ColumnDefinition.keyword("level")));
        rollUp.settleAll();
        assertThat(noted()).containsExactly(3L, 2L);

        catalog.dropTable(TableIdentifier.of("beta", "logs"), false);
        rollUp.forgetUnusedColumns();
        assertThat(noted()).as("the set is still used").containsExactly(2L, 2L);
        catalog.dropTable(TableIdentifier.of("gamma", "logs"), false);
        rollUp.forgetUnusedColumns();
        assertThat(noted()).containsExactly(1L, 1L);

        ensure("beta", List.of(ColumnDefinition.keyword("level")));
        rollUp.settleAll();
        assertThat(noted()).containsExactly(2L, 2L);
    }

    @Test
    void aSetThatWasForgottenTooSoonIsNotedAgain() {
        rollUp.settleAll();
        database.write(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate("DELETE FROM cordwood_column_sets");
            }
        });
        rollUp.settleAll();
        assertThat(noted()).containsExactly(1L, 1L);
    }

    /** How many tables have a set of columns, and how many sets there are. */
    private List<Long> noted() {
        return database.read(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet counts = statement.executeQuery("""
                            SELECT (SELECT COUNT(*) FROM cordwood_table_columns),
                              (SELECT COUNT(*) FROM cordwood_column_sets)""")) {
                counts.next();
                return List.of(counts.getLong(1), counts.getLong(2));
            }
        });
    }

    @Test
    void aPageEndsWithTheHourThatFillsIt() {
        database.write(connection -> {
            for (long hour = HOUR; hour < HOUR + 4; hour++) {
                ScanStore.put(
                        connection,
                        new Scans(
                                "node",
                                0,
                                List.of(
                                        new Scans.Total("acme", "logs", hour, 1),
                                        new Scans.Total("beta", "logs", hour, 1))));
            }
            return null;
        });

        assertThat(pageEnd(UsageFilter.ALL, 3)).isEqualTo(HOUR + 2);
        assertThat(pageEnd(UsageFilter.ALL, 1)).isEqualTo(HOUR + 1);
        assertThat(pageEnd(UsageFilter.ALL.from(HOUR + 2), 3)).isEqualTo(HOUR + 4);
        assertThat(pageEnd(UsageFilter.ALL, 100)).isEqualTo(UsageFilter.ALL.toHour());
        assertThat(pageEnd(new UsageFilter(HOUR, HOUR + 9, Set.of("acme")), 3)).isEqualTo(HOUR + 3);
    }

    private long pageEnd(UsageFilter filter, long rows) {
        return database.read(connection -> UsageStore.pageEnd(connection, filter, rows));
    }

    @Test
    void whatIsToldOfTwiceOrInAnotherOrderCountsOnce() throws Exception {
        commit(10);
        TableMetadata first = metadata();
        commit(20);
        rollUp.committed(TABLE, metadata());
        rollUp.committed(TABLE, first);
        rollUp.settleAll();
        rollUp.committed(TABLE, first);
        rollUp.committed(TABLE, metadata());
        rollUpAt(HOUR).settleAll();
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(30, 2));
    }

    @Test
    void aCommitThatWouldDropOneNotAddedWaitsForIt() throws Exception {
        for (int i = 1; i <= 12; i++) {
            commit(i);
            UsageJournal journal = journal();
            assertThat(journal.lastSequence()).isEqualTo(i);
            assertThat(journal.additions()).hasSize(Math.min(i, 5));
        }
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(12 + 11 + 10 + 9 + 8, 5));
        assertThat(metrics.toPrometheus()).contains("cordwood_catalog_usage_lost_commits_total 7\n");
        // The service has no commit go through before it has asked here
        for (int i = 0; i < 12; i++) {
            UsageJournal held = journal();
            rollUp.beforeCommit(TABLE, metadata().uuid(), after(held));
            commit(100);
        }
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(50 + 12 * 100, 5 + 12));
        assertThat(metrics.toPrometheus()).contains("cordwood_catalog_usage_lost_commits_total 7\n");
    }

    /** As the next commit leaves the journal. */
    private static UsageJournal after(UsageJournal journal) {
        List<UsageJournal.Addition> all = new java.util.ArrayList<>(journal.additions());
        all.removeFirst();
        all.add(new UsageJournal.Addition(journal.lastSequence() + 1, HOUR, new IngestTotals(1, 1, 1)));
        return new UsageJournal(journal.tenantId(), all);
    }

    @Test
    void aTableMadeAnewBeginsAnew() throws Exception {
        commit(10);
        rollUp.settle(TABLE);
        catalog.dropTable(TABLE, false);
        ensure("acme", List.of());
        next = 0;
        commit(7);
        rollUp.settleAll();
        assertThat(usage()).containsExactly(used(17, 2));
    }

    @Test
    void aMalformedJournalIsNamed() {
        assertThatThrownBy(() -> UsageJournal.fromProperties("acme", Map.of(UsageJournal.PROPERTY, "{")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Property cordwood.usage is not JSON: {");
        assertThatThrownBy(() ->
                        UsageJournal.fromJson("{\"tenant\":\"acme\",\"additions\":[{\"sequence\":1,\"hour\":\"x\"}]}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Member 'hour' in property cordwood.usage is not a whole number");
    }

    @Test
    void totalsOfScansNeverFall() {
        report("node-1", 100, HOUR);
        report("node-1", 100, HOUR);
        report("node-1", 300, HOUR);
        report("node-1", 200, HOUR);
        report("node-2", 50, HOUR);
        report("node-2", 7, HOUR + 1);
        assertThat(usage())
                .containsExactly(
                        new Usage("acme", "logs", HOUR, new IngestTotals(0, 0, 0), 350),
                        new Usage("acme", "logs", HOUR + 1, new IngestTotals(0, 0, 0), 7));
    }

    private void report(String incarnation, long bytes, long hour) {
        report(incarnation, bytes, hour, 0);
    }

    private void report(String incarnation, long bytes, long hour, long firstOpenHour) {
        rollUp.scanned(new Scans(incarnation, firstOpenHour, List.of(new Scans.Total("acme", "logs", hour, bytes))));
    }

    @Test
    void anHourThatAllNodesHaveClosedIsOneRow() {
        for (int node = 1; node <= 3; node++) {
            report("node-" + node, 100, HOUR, HOUR);
            report("node-" + node, 100L * node, HOUR, HOUR + 1);
            report("node-" + node, 1, HOUR + 1, HOUR + 1);
        }
        assertThat(rows("cordwood_closed_scans")).isEqualTo(1);
        assertThat(rows("cordwood_scans")).isEqualTo(3);
        report("node-2", 200, HOUR, HOUR + 1);
        report("node-2", 999, HOUR, HOUR);
        assertThat(usage()).containsExactly(scanned(HOUR, 600), scanned(HOUR + 1, 3));
        assertThat(metrics.toPrometheus()).contains("cordwood_catalog_usage_late_scans_total 2\n");
    }

    @Test
    void aNodeCannotCloseHoursThatHaveNotBegun() {
        report("node-1", 100, HOUR, Long.MAX_VALUE);
        report("node-1", 1, HOUR + 1, Long.MAX_VALUE);
        assertThat(usage()).containsExactly(scanned(HOUR, 100), scanned(HOUR + 1, 1));
        rollUpAt(HOUR + 50).closeOldHours();
        rollUpAt(HOUR + 800 * 24).forgetOldHours();
        assertThat(rows("cordwood_scan_nodes")).isZero();
    }

    @Test
    void aReportThatClosesNoneLeavesAllOpen() {
        report("node-1", 100, HOUR, Scans.NONE_CLOSED);
        report("node-1", 200, HOUR, Scans.NONE_CLOSED);
        assertThat(usage()).containsExactly(scanned(HOUR, 200));
        assertThat(rows("cordwood_closed_scans")).isZero();
    }

    @Test
    void hoursOfNodesThatWereKilledAreClosedAfterTwoDays() {
        report("node-1", 5, HOUR);
        report("node-2", 7, HOUR);
        rollUpAt(HOUR + 48).closeOldHours();
        assertThat(rows("cordwood_scans")).isEqualTo(2);
        rollUpAt(HOUR + 49).closeOldHours();
        assertThat(rows("cordwood_scans")).isZero();
        report("node-1", 6, HOUR);
        report("node-1", 8, HOUR + 1);
        assertThat(usage()).containsExactly(scanned(HOUR, 12), scanned(HOUR + 1, 8));
        rollUpAt(HOUR + 800 * 24).forgetOldHours();
        assertThat(usage()).isEmpty();
        assertThat(rows("cordwood_scan_nodes")).isZero();
    }

    private static Usage scanned(long hour, long bytes) {
        return new Usage("acme", "logs", hour, new IngestTotals(0, 0, 0), bytes);
    }

    private long rows(String table) {
        return database.read(connection -> {
            try (Statement select = connection.createStatement();
                    ResultSet count = select.executeQuery("SELECT COUNT(*) FROM " + table)) {
                count.next();
                return count.getLong(1);
            }
        });
    }

    @Test
    void aTableThatIsNewOrWiderIsNotTakenForOneWithCommitsMissed() {
        rollUp.settleAll();
        ensure("beta", List.of());
        ensure("acme", List.of(ColumnDefinition.text("message")));
        assertThat(database.read(PointerStore::moved)).hasSize(2);
        rollUp.close();
        assertThat(database.read(PointerStore::moved)).isEmpty();
    }

    @Test
    void aTableThatCannotBeReadKeepsNobodyFromTheOthers() throws Exception {
        commit(10);
        TableMetadata broken = ensure("broken", List.of());
        Path file = LocalFileIO.path(broken.metadataFileLocation());
        byte[] bytes = Files.readAllBytes(file);
        Files.writeString(file, "no metadata");
        UsageRollUp other = rollUpAt(HOUR);
        TableIdentifier missing = TableIdentifier.of("broken", "logs");
        assertThat(other.settleAll()).containsExactly(missing);
        assertThat(usage()).containsExactly(used(10, 1));
        assertThat(other.toPrometheus()).endsWith("cordwood_catalog_usage_unreadable_tables 1\n");
        Files.write(file, bytes);
        assertThat(other.settleAll()).containsExactly(missing);
        assertThat(database.read(PointerStore::moved)).as("tried again later").hasSize(1);
        other.close();
        assertThat(rollUpAt(HOUR).settleAll()).isEmpty();
        assertThat(database.read(PointerStore::moved)).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerIsWaitedForOnlySoLong() throws Exception {
        commit(10);
        String slow = ensure("slow", List.of()).metadataFileLocation();
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch found = new CountDownLatch(2);
        FileIO io = new WatchedFileIO(catalog.io(), location -> {
            if (location.equals(slow)) {
                await(answer);
            }
        });
        try (MissedUsage missed = new MissedUsage(io, database, table -> found.countDown())) {
            assertThat(missed.read(Duration.ofSeconds(5))).containsExactly(TableIdentifier.of("slow", "logs"));
            assertThat(found.getCount()).isEqualTo(1);
            answer.countDown();
            assertThat(found.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aTableThatMovesOnWhileItIsReadIsReadOnceMore() throws Exception {
        String first = ensure("slow", List.of()).metadataFileLocation();
        CountDownLatch answer = new CountDownLatch(1);
        List<String> opened = new CopyOnWriteArrayList<>();
        FileIO io = new WatchedFileIO(catalog.io(), location -> {
            opened.add(location);
            if (location.equals(first)) {
                await(answer);
            }
        });
        try (MissedUsage missed = new MissedUsage(io, database, table -> {})) {
            missed.read(Duration.ZERO);
            String last = first;
            for (int i = 0; i < 3; i++) {
                last = ensure("slow", List.of(ColumnDefinition.text("column" + i)))
                        .metadataFileLocation();
                assertThat(missed.read(Duration.ofMillis(200))).contains(TableIdentifier.of("slow", "logs"));
            }
            String newest = last;
            assertThat(opened.stream().filter(location -> location.contains("slow")))
                    .containsExactly(first);
            answer.countDown();
            assertThat(missed.read(Duration.ofSeconds(20))).isEmpty();
            assertThat(opened.stream().filter(location -> location.contains("slow")))
                    .containsExactly(first, newest);
        }
    }

    @Test
    void anErrorAtOneTableFailsNobody() {
        String broken = ensure("broken", List.of()).metadataFileLocation();
        FileIO io = new WatchedFileIO(catalog.io(), location -> {
            if (location.equals(broken)) {
                throw new StackOverflowError("too deep");
            }
        });
        try (MissedUsage missed = new MissedUsage(io, database, table -> {})) {
            assertThat(missed.read(Duration.ofSeconds(20))).containsExactly(TableIdentifier.of("broken", "logs"));
            assertThat(missed.unreadable()).isEqualTo(1);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Tells of each object before it is opened. */
    private record WatchedFileIO(FileIO files, Consumer<String> opening) implements FileIO {
        @Override
        public InputFile newInputFile(String location) {
            opening.accept(location);
            return files.newInputFile(location);
        }

        @Override
        public OutputFile newOutputFile(String location) {
            return files.newOutputFile(location);
        }

        @Override
        public void deleteFile(String location) {
            files.deleteFile(location);
        }
    }

    @Test
    void hoursAreKeptForFourHundredDays() throws Exception {
        commit(10);
        report("node-1", 5, HOUR);
        report("node-1", 6, HOUR + 1);
        rollUp.settleAll();
        rollUpAt(HOUR + 400 * 24).forgetOldHours();
        assertThat(usage()).hasSize(2);
        rollUpAt(HOUR + 400 * 24 + 1).forgetOldHours();
        assertThat(usage()).containsExactly(new Usage("acme", "logs", HOUR + 1, new IngestTotals(0, 0, 0), 6));
        commit(20);
        rollUp.settleAll();
        assertThat(usage().getFirst())
                .as("what is forgotten does not come back")
                .isEqualTo(used(20, 1));
    }

    @Test
    void usageIsFilteredByTenantAndHour() {
        report("node-1", 5, HOUR);
        rollUp.scanned(new Scans("node-1", 0, List.of(new Scans.Total("o\u0000ther", "logs", HOUR, 9))));
        assertThat(usage(new UsageFilter(HOUR, HOUR + 1, Set.of("o\u0000ther"))))
                .extracting(Usage::scannedBytes)
                .containsExactly(9L);
        assertThat(usage(new UsageFilter(HOUR, HOUR, Set.of()))).isEmpty();
        assertThat(usage(new UsageFilter(HOUR + 1, HOUR + 2, Set.of()))).isEmpty();
        assertThat(usage(new UsageFilter(HOUR, HOUR + 1, Set.of("acme", "none"))))
                .extracting(Usage::tenantId)
                .containsExactly("acme");
    }

    private static Usage used(long rows, long files) {
        return new Usage("acme", "logs", HOUR, new IngestTotals(rows, rows * 10, files * 1000), 0);
    }

    private List<Usage> usage() {
        return usage(UsageFilter.ALL);
    }

    private List<Usage> usage(UsageFilter filter) {
        return database.read(connection -> UsageStore.usage(connection, filter));
    }

    private TableMetadata metadata() {
        return ((BaseTable) catalog.loadTable(TABLE)).operations().current();
    }

    private UsageJournal journal() {
        return UsageJournal.fromProperties("acme", metadata().properties());
    }

    /** Commits a LogBlock of so many rows of ten bytes, past the service. */
    private void commit(long rows) throws IOException, InterruptedException {
        TableMetadata table = metadata();
        String location = LogBlockNames.newLocation(table.location(), 20_000, PARTITION, next, next + rows);
        try (PositionOutputStream out =
                catalog.loadTable(TABLE).io().newOutputFile(location).create()) {
            out.write(1);
        }
        LogBlockSummary summary = new LogBlockSummary(
                1000, rows, 0, new TimeRange(0, 1), List.of(4L), Map.of(), Map.of(), Optional.empty());
        Flush flush = new Flush(
                PARTITION.topicId(),
                PARTITION.partition(),
                next,
                next + rows,
                table.uuid(),
                List.of(new LogBlockFile(location, 20_000, summary)),
                List.of(new AppendRun(next, HOUR, rows, rows * 10)));
        next += rows;
        assertThat(committer.commit("acme", "logs", List.of(flush)))
                .extracting(CommitOutcome::status)
                .containsExactly(CommitOutcome.Status.COMMITTED);
    }
}
