package io.cordwood.catalog.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.server.ServiceFixture;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.identity.TenantRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalog's database is lost, and restored from a backup that is older than the tables in the warehouse. */
abstract class AbstractRestoreTests {
    private static final PartitionId PARTITION = new PartitionId("topic-A", 0);
    private static final PartitionId OTHER_PARTITION = new PartitionId("topic-A", 1);
    private static final int DAY = 20_000;

    @TempDir
    private Path directory;

    private Path warehouse;
    private String before;
    private String after;
    private final List<Finding> findings = new ArrayList<>();

    /** URL of a new database for this test. */
    abstract String newDatabase(Path directory) throws Exception;

    /** URL of a new database to restore into. */
    abstract String otherDatabase(Path directory) throws Exception;

    @BeforeEach
    void createDatabases() throws Exception {
        warehouse = directory.resolve("warehouse");
        before = newDatabase(Files.createDirectory(directory.resolve("before")));
        after = otherDatabase(Files.createDirectory(directory.resolve("after")));
    }

    @Test
    void everyRowOfTheDatabaseIsRestored() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            service.client.putTenant(new Tenant(
                    "Globex/ö\u0000'\"",
                    OptionalInt.of(30),
                    Map.of("logs", 7),
                    new Quota(OptionalLong.of(1L << 40), OptionalLong.of(5)),
                    Map.of("logs", List.of("text", "µ"))));
            service.client.putUser(
                    new User("alice", false, Optional.empty(), Map.of("acme", Set.of(TenantRole.READER))));
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 10L));
            service.client.setTopic("logs", "topic-A");
        }
        Path backup = backup(Instant.now());
        restore(backup, false);
        assertThat(findings).isEmpty();
        Path again = directory.resolve("again.zip");
        try (Database database = Database.open(after)) {
            Backup.write(database, again, Instant.now(), location());
        }
        assertThat(rows(again)).isEqualTo(rows(backup));
        assertThat(rows(again).get("cordwood_tenants")).hasSize(3);
    }

    @Test
    void tablesAreAdvancedToTheirNewestCommit() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            commit(service, "idle", 0, 10);
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 10L));
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 10, 20);
            // More than the old metadata files that are kept
            for (int i = 20; i < 65; i++) {
                commit(service, "acme", i, i + 1);
            }
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 65L));
        }
        restore(backup, false);
        assertThat(findings).hasSize(2);
        assertThat(findings.getFirst().toString()).matches("  acme.logs: 46 commits after the backup, the last at .*");
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(offset(service, "acme")).isEqualTo(65);
            assertThat(offset(service, "idle")).isEqualTo(10);
            assertThat(service.client.archivedThrough("logs")).containsEntry(PARTITION, 65L);
            commit(service, "acme", 65, 70);
            assertThat(labels(service, "acme")).hasSize(48);
        }
    }

    @Test
    void tablesAndTenantsThatWereCreatedAfterTheBackupAreRegistered() throws Exception {
        String hashed = "ä".repeat(60);
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "new", 10, 20);
            commit(service, hashed, 20, 30);
            assertThat(TenantNames.tenantId(TenantNames.schemaName(hashed))).isEmpty();
        }
        restore(backup, false);
        assertThat(findings).hasSize(2).noneMatch(Finding::isProblem);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.tenants())
                    .extracting(Tenant::id)
                    .containsExactlyInAnyOrder("acme", "new", hashed);
            assertThat(offset(service, "new")).isEqualTo(20);
            assertThat(offset(service, hashed)).isEqualTo(30);
            assertThat(service.client.pointers("logs").tables())
                    .extracting(Pointers.TablePointer::tenantId)
                    .containsExactlyInAnyOrder("acme", "new", hashed);
        }
    }

    @Test
    void aTenantThatWasDeletedAfterTheBackupStaysDeleted() throws Exception {
        TableOffsets floor = TableOffsets.NONE.with(PARTITION, 50);
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "gone", 0, 10);
            commit(service, "back", 0, 10);
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "gone", 10, 20);
            service.client.ensureTable("gone", "later", List.of());
            service.client.deleteTenant("gone", Map.of("logs", floor));
            service.client.deleteTenant("back", Map.of("logs", floor));
            commit(service, "back", 50, 60);
        }
        restore(backup, false);
        assertThat(findings).extracting(Finding::subject).contains("tenant gone", "tenant back", "back.logs");
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.tenants()).extracting(Tenant::id).containsExactly("back");
            assertThat(service.client.table("gone", "logs")).isEmpty();
            assertThat(service.client.pointers("logs").floors()).containsEntry("gone", floor);
            assertThat(labels(service, "back")).containsExactly("topic-A-0[50,60)");
            assertThat(service.client.tenantDeletions()).hasSize(2);
        }
    }

    @Test
    void tablesThatWereDroppedBeforeTheBackupStayDropped() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            service.client.catalog().dropTable(TenantNames.table("acme", "logs"), false);
        }
        restore(backup(Instant.now().plus(Duration.ofMinutes(30))), false);
        assertThat(findings).isEmpty();
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.table("acme", "logs")).isEmpty();
        }
    }

    @Test
    void aTableThatWasDroppedJustBeforeTheBackupDoesNotReplaceItsSuccessor() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            service.client.catalog().dropTable(TenantNames.table("acme", "logs"), false);
            commit(service, "acme", 10, 20);
        }
        restore(backup(Instant.now()), false);
        assertThat(findings).isEmpty();
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(labels(service, "acme")).containsExactly("topic-A-0[10,20)");
        }
    }

    @Test
    void aTableThatWasCreatedAnewIsTheNewOne() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 10, 20);
            service.client.catalog().dropTable(TenantNames.table("acme", "logs"), false);
            commit(service, "acme", 10, 20);
        }
        restore(backup, false);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(labels(service, "acme")).containsExactly("topic-A-0[10,20)");
        }
    }

    /** Another service had created a table under the same name, and lost. */
    @Test
    void aTableThatWasNeverUsedReplacesNone() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            Table table = service.client.catalog().loadTable(TenantNames.table("acme", "logs"));
            Path unused = warehouse.resolve("acme/logs/made-%d-unused/metadata/00000-unused.metadata.json"
                    .formatted(System.currentTimeMillis()));
            Files.createDirectories(unused.getParent());
            TableMetadata empty = TableMetadata.newTableMetadata(
                    table.schema(), table.spec(), unused.getParent().toString(), Map.of());
            TableMetadataParser.overwrite(empty, table.io().newOutputFile("file://" + unused));
        }
        restore(backup(Instant.now()), false);
        assertThat(findings).isEmpty();
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(labels(service, "acme")).containsExactly("topic-A-0[0,10)");
        }
    }

    /** What is newer than the pointer and older than the backup was no commit. */
    @Test
    void aMetadataFileOfACommitThatLostBeforeTheBackupIsNotTaken() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            leftover(service, "acme", "lost");
        }
        restore(backup(Instant.now().plus(Duration.ofMinutes(30))), false);
        assertThat(findings).isEmpty();
    }

    /** A service was killed after it wrote the file; then another commit came. */
    @Test
    void ofTwoMetadataFilesOfOneVersionTheLaterIsTaken() throws Exception {
        Path backup;
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            backup = backup(Instant.now());
            leftover(service, "acme", "zzz-killed");
            commit(service, "acme", 10, 20);
        }
        restore(backup, false);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(labels(service, "acme")).containsExactly("topic-A-0[0,10)", "topic-A-0[10,20)");
        }
    }

    @Test
    void aLostMetadataFileIsReported() throws Exception {
        String lost;
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            commit(service, "other", 0, 10);
            lost = metadata(service, "acme").metadataFileLocation();
        }
        Path backup = backup(Instant.now());
        Files.delete(Path.of(lost.substring("file://".length())));
        restoreWithLoss(backup);
        assertThat(findings).hasSize(1);
        assertThat(findings.getFirst().toString())
                .startsWith("! acme.logs: its metadata file " + lost + " is lost; the newest that is left is file://");
    }

    @Test
    void aDamagedMetadataFileIsReportedAndTheOneBeforeItTaken() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        String damaged;
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 10, 20);
            commit(service, "acme", 20, 30);
            damaged = metadata(service, "acme").metadataFileLocation();
        }
        Files.writeString(Path.of(damaged.substring("file://".length())), "{}");
        restoreWithLoss(backup);
        assertThat(findings.getFirst().toString()).startsWith("! acme.logs: " + damaged + " is damaged (");
        assertThat(findings.get(1).toString()).startsWith("  acme.logs: 1 commits after the backup");
    }

    /** It takes over neither its neighbours' rows nor their tables. */
    @Test
    void whatOtherCatalogsHaveInTheDatabaseStays() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        new ServiceFixture(after, warehouse).close();
        try (Database database = Database.open(after)) {
            database.write(connection -> connection.createStatement().execute("""
                    INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, iceberg_type)
                    VALUES ('other', 'n', 't', 'm', 'TABLE')"""));
            restore(backup, false);
            assertThat(database.<Boolean>read(connection -> connection
                            .createStatement()
                            .executeQuery("SELECT * FROM iceberg_tables WHERE catalog_name = 'other'")
                            .next()))
                    .isTrue();
        }
    }

    @Test
    void aDatabaseThatIsNotEmptyIsReplacedOnRequestOnly() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            service.client.putTenant(Tenant.of("present"));
        }
        assertThatThrownBy(() -> restore(backup, false))
                .isInstanceOf(BackupException.class)
                .hasMessage(
                        "the database has 0 tables, 1 tenants and 0 users: give --replace to replace them by the backup");
        assertThat(tenants()).containsExactly("present");
        restore(backup, true);
        assertThat(tenants()).containsExactly("acme");
    }

    @Test
    void aDamagedBackupChangesNothing() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        byte[] bytes = Files.readAllBytes(backup);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            service.client.putTenant(Tenant.of("present"));
        }
        Path damaged = directory.resolve("damaged.zip");
        Files.write(damaged, Arrays.copyOf(bytes, bytes.length / 2));
        refused(damaged, "is not a whole backup");
        Files.writeString(damaged, "no backup");
        refused(damaged, "is not a whole backup");
        byte[] flipped = bytes.clone();
        for (int i = bytes.length / 3; i < bytes.length / 2; i++) {
            flipped[i] ^= 0x55;
        }
        Files.write(damaged, flipped);
        refused(damaged, "the backup is ");
        rewrite(backup, damaged, "manifest.json", text -> text.replace("\"format\" : 1", "\"format\" : 2"));
        refused(damaged, "has format 2, and this version of Cordwood restores format 1");
        rewrite(backup, damaged, "tables/cordwood_tenants.jsonl", text -> text.replace("retention_days", "colour"));
        refused(damaged, "has the column cordwood_tenants.colour, which this version of Cordwood does not know");
        rewrite(
                backup,
                damaged,
                "tables/cordwood_tenants.jsonl",
                text -> text.lines().findFirst().orElseThrow());
        refused(damaged, "is damaged: it has 0 of 1 rows of table cordwood_tenants");
        rewrite(backup, damaged, "manifest.json", text -> text.replace("cordwood_tenants", "cordwood_colours"));
        refused(damaged, "has the table cordwood_colours, which this version of Cordwood does not know");
        rewrite(backup, damaged, "manifest.json", text -> text.replace("/warehouse", "/elsewhere"));
        refused(damaged, "is of the warehouse");
    }

    @Test
    void archivedThroughIsThatOfTheWarehouse() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 10L));
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 30L, OTHER_PARTITION, 5L));
            service.client.advanceArchivedThrough("audit", Map.of(PARTITION, 7L));
        }
        restore(backup, false);
        assertThat(findings)
                .extracting(Finding::toString)
                .containsExactly(
                        "  stream audit: archived-through is as the warehouse tells",
                        "  stream logs: archived-through is as the warehouse tells");
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.archivedThrough("logs")).isEqualTo(Map.of(PARTITION, 30L, OTHER_PARTITION, 5L));
            assertThat(service.client.archivedThrough("audit")).isEqualTo(Map.of(PARTITION, 7L));
        }
    }

    @Test
    void archivedThroughStaysOnRequest() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 10L));
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 30L));
        }
        new Restoration(after, location(), Map.of(), false, false, true).run(backup, "the backup", findings);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.archivedThrough("logs")).isEqualTo(Map.of(PARTITION, 10L));
        }
    }

    /** What the table lacks must be read again. */
    @Test
    void archivedThroughStaysIfATableLacksCommits() throws Exception {
        String lost;
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 10L));
            lost = metadata(service, "acme").metadataFileLocation();
        }
        Path backup = backup(Instant.now());
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            service.client.advanceArchivedThrough("logs", Map.of(PARTITION, 30L));
        }
        Files.delete(Path.of(lost.substring("file://".length())));
        restoreWithLoss(backup);
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.archivedThrough("logs")).isEqualTo(Map.of(PARTITION, 10L));
            assertThat(offset(service, "acme"))
                    .as("of the metadata file before the lost one")
                    .isZero();
            commit(service, "acme", 0, 30);
            assertThat(labels(service, "acme")).containsExactly("topic-A-0[0,30)");
        }
    }

    @Test
    void aTableWithoutMetadataFilesIsDroppedIfTheLossIsAccepted() throws Exception {
        try (ServiceFixture service = new ServiceFixture(before, warehouse)) {
            commit(service, "acme", 0, 10);
        }
        Path backup = backup(Instant.now());
        deleteFiles(warehouse.resolve("acme"));
        restoreWithLoss(backup);
        assertThat(findings.getFirst().toString())
                .startsWith("! acme.logs: its metadata file")
                .contains("is lost and there is no other");
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            assertThat(service.client.table("acme", "logs")).isEmpty();
            commit(service, "acme", 0, 10);
        }
    }

    private static void deleteFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path backup(Instant time) throws IOException {
        Path file = Files.createTempDirectory(directory, "backup").resolve("backup.zip");
        try (Database database = Database.open(before)) {
            Backup.write(database, file, time, location());
        }
        return file;
    }

    private String location() {
        return "file://" + warehouse;
    }

    private void restore(Path backup, boolean replace) throws IOException {
        new Restoration(after, location(), Map.of(), replace, false, false).run(backup, "the backup", findings);
    }

    /** Refuses to restore, and then does so in spite of what is lost. */
    private void restoreWithLoss(Path backup) throws IOException {
        assertThatThrownBy(() -> restore(backup, false))
                .isInstanceOf(BackupException.class)
                .hasMessage(
                        "nothing was restored: see the lines above that begin with !. Restore these objects and run this"
                                + " again, or give --accept-loss");
        assertThat(tenants()).isEmpty();
        findings.clear();
        new Restoration(after, location(), Map.of(), false, true, false).run(backup, "the backup", findings);
    }

    private void refused(Path backup, String message) throws Exception {
        assertThatThrownBy(() -> restore(backup, true)).hasMessageContaining(message);
        assertThat(tenants()).containsExactly("present");
    }

    private List<String> tenants() throws IOException {
        try (ServiceFixture service = new ServiceFixture(after, warehouse)) {
            return service.client.tenants().stream().map(Tenant::id).toList();
        }
    }

    private static void commit(ServiceFixture service, String tenant, long from, long to) throws InterruptedException {
        service.client.ensureTable(tenant, "logs", List.of());
        Table table = service.client.catalog().loadTable(TenantNames.table(tenant, "logs"));
        LogBlockFile file = CatalogFixture.logBlock(table.io(), table.location(), PARTITION, from, to, DAY);
        service.client
                .committer((t, s, f, first) -> List.of(file))
                .commit(
                        tenant,
                        "logs",
                        List.of(new Flush(
                                PARTITION.topicId(),
                                PARTITION.partition(),
                                TableOffsets.fromProperties(table.properties()).offset(PARTITION),
                                to,
                                table.uuid().toString(),
                                List.of(file),
                                CatalogFixture.appendRuns(from, List.of(file)))));
    }

    private static TableMetadata metadata(ServiceFixture service, String tenant) {
        return ((BaseTable) service.client.catalog().loadTable(TenantNames.table(tenant, "logs")))
                .operations()
                .current();
    }

    /** Writes a metadata file that follows the current one, and is in no catalog. */
    private static void leftover(ServiceFixture service, String tenant, String name) {
        TableMetadata current = metadata(service, tenant);
        String location = current.metadataFileLocation();
        int version = WarehouseTables.version(location).orElseThrow() + 1;
        TableMetadataParser.overwrite(
                current.replaceProperties(Map.of("left", "over")),
                service.client
                        .io()
                        .newOutputFile("%s/%05d-%s.metadata.json"
                                .formatted(location.substring(0, location.lastIndexOf('/')), version, name)));
    }

    private static long offset(ServiceFixture service, String tenant) {
        return TableOffsets.fromProperties(metadata(service, tenant).properties())
                .offset(PARTITION);
    }

    /** What a scan of the table reads: fails if a file is lost. */
    private static List<String> labels(ServiceFixture service, String tenant) throws IOException {
        List<String> labels = new ArrayList<>();
        Table table = service.client.catalog().loadTable(TenantNames.table(tenant, "logs"));
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            tasks.forEach(task -> {
                assertThat(table.io().newInputFile(task.file().location()).exists())
                        .isTrue();
                LogBlockNames.Label label =
                        LogBlockNames.label(task.file().location()).orElseThrow();
                labels.add("%s[%d,%d)".formatted(label.partition(), label.from(), label.to()));
            });
        }
        labels.sort(null);
        return labels;
    }

    /** The lines of each table of a backup, in any order. */
    private static Map<String, Set<String>> rows(Path backup) throws IOException {
        Map<String, Set<String>> rows = new TreeMap<>();
        try (ZipFile zip = new ZipFile(backup.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().startsWith("tables/")) {
                    String text = new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
                    rows.put(
                            entry.getName().replaceAll("tables/|\\.jsonl", ""),
                            new TreeSet<>(text.lines().toList()));
                }
            }
        }
        return rows;
    }

    /** Copies a backup with another text of one entry. */
    private static void rewrite(Path from, Path to, String name, UnaryOperator<String> change) throws IOException {
        try (ZipFile zip = new ZipFile(from.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry : zip.stream().toList()) {
                byte[] bytes = zip.getInputStream(entry).readAllBytes();
                if (entry.getName().equals(name)) {
                    String text = new String(bytes, StandardCharsets.UTF_8);
                    assertThat(change.apply(text)).isNotEqualTo(text);
                    bytes = change.apply(text).getBytes(StandardCharsets.UTF_8);
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(bytes);
            }
        }
    }
}
