package io.cordwood.catalog.server.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.testing.SqliteCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other catalogs over the same database see each commit, and the other way round, although files stay parsed. */
class PointerTableOperationsTest {
    private static final Namespace NAMESPACE = Namespace.of("acme");
    private static final TableIdentifier TABLE = TableIdentifier.of(NAMESPACE, "logs");
    private static final Schema SCHEMA =
            new Schema(Types.NestedField.required(1, "ts", Types.TimestampType.withZone()));
    private static final String PROPERTY = "owner";

    @TempDir
    private Path directory;

    private Database database;
    private OwnLocationCatalog catalog;
    private JdbcCatalog foreign;

    @BeforeEach
    void open() {
        database = Database.open(SqliteCatalog.url(directory));
        catalog = new OwnLocationCatalog(database);
        catalog.initialize(Database.CATALOG_NAME, SqliteCatalog.properties(directory));
        foreign = new JdbcCatalog();
        foreign.initialize(Database.CATALOG_NAME, SqliteCatalog.properties(directory));
        catalog.createNamespace(NAMESPACE, Map.of());
    }

    @AfterEach
    void close() {
        foreign.close();
        catalog.close();
        database.close();
    }

    @Test
    void sharesTablesWithIcebergsCatalog() {
        catalog.createTable(TABLE, SCHEMA);
        set(foreign.loadTable(TABLE), "foreign");
        assertThat(owner()).isEqualTo("foreign");
        set(catalog.loadTable(TABLE), "own");
        assertThat(foreign.loadTable(TABLE).properties()).containsEntry(PROPERTY, "own");
        set(foreign.loadTable(TABLE), "foreign again");
        assertThat(owner()).isEqualTo("foreign again");
        assertThat(catalog.listTables(NAMESPACE)).containsExactly(TABLE);
    }

    @Test
    void aCommitToWhatAnotherHasChangedFails() {
        catalog.createTable(TABLE, SCHEMA);
        TableOperations late = operations();
        TableMetadata base = late.current();
        set(foreign.loadTable(TABLE), "foreign");
        long files = countFiles();
        assertThatThrownBy(() -> late.commit(base, base.replaceProperties(Map.of(PROPERTY, "late"))))
                .isInstanceOf(CommitFailedException.class)
                .hasMessageContaining("was changed by another commit or dropped");
        assertThat(owner()).isEqualTo("foreign");
        assertThat(countFiles()).as("a restored catalog finds no file of it").isEqualTo(files);
    }

    @Test
    void aCommitDoesNotBringADroppedTableBack() {
        catalog.createTable(TABLE, SCHEMA);
        TableOperations late = operations();
        TableMetadata base = late.current();
        foreign.dropTable(TABLE, false);
        assertThatThrownBy(() -> late.commit(base, base.replaceProperties(Map.of(PROPERTY, "late"))))
                .isInstanceOf(CommitFailedException.class);
        assertThat(catalog.tableExists(TABLE)).isFalse();
        assertThatThrownBy(late::refresh).isInstanceOf(NoSuchTableException.class);
    }

    @Test
    void isOfTheTableThatHasTheNameNow() {
        UUID first = catalog.createTable(TABLE, SCHEMA).uuid();
        catalog.dropTable(TABLE, false);
        UUID second = catalog.createTable(TABLE, SCHEMA).uuid();
        assertThat(catalog.loadTable(TABLE).uuid()).isEqualTo(second).isNotEqualTo(first);
    }

    @Test
    void refusesASecondTableOfTheName() {
        TableOperations late = catalog.newTableOps(TABLE);
        assertThat(late.current()).isNull();
        TableMetadata metadata =
                ((BaseTable) foreign.createTable(TABLE, SCHEMA)).operations().current();
        long files = countFiles();
        assertThatThrownBy(() -> late.commit(null, metadata)).isInstanceOf(AlreadyExistsException.class);
        TableMetadata other =
                TableMetadata.newTableMetadata(SCHEMA, PartitionSpec.unpartitioned(), metadata.location(), Map.of());
        assertThatThrownBy(() -> late.commit(null, other)).isInstanceOf(AlreadyExistsException.class);
        assertThat(countFiles()).as("neither less nor more").isEqualTo(files);
        assertThatThrownBy(() -> catalog.createTable(TABLE, SCHEMA)).isInstanceOf(AlreadyExistsException.class);
    }

    @Test
    void refusesATableWithoutANamespace() {
        assertThatThrownBy(() -> catalog.createTable(TableIdentifier.of("nobody", "logs"), SCHEMA))
                .isInstanceOf(NoSuchNamespaceException.class);
    }

    /** The optimisation itself: once the files are empty, only what is kept in memory can answer. */
    @Test
    void aFileThatWasReadIsNotReadAgain() throws IOException {
        catalog.createTable(TABLE, SCHEMA);
        set(catalog.loadTable(TABLE), "own");
        assertThat(owner()).isEqualTo("own");
        forFiles(file -> Files.write(file, new byte[0]));
        assertThat(owner()).isEqualTo("own");
    }

    @Test
    void aFileThatWasWrittenIsNotRead() throws IOException {
        catalog.createTable(TABLE, SCHEMA);
        set(catalog.loadTable(TABLE), "own");
        forFiles(file -> Files.write(file, new byte[0]));
        assertThat(owner()).isEqualTo("own");
    }

    /** Also if the file is too large to be kept for others. */
    @Test
    void aCommitDoesNotAskTheStoreForWhatItWrote() throws IOException {
        catalog.createTable(TABLE, SCHEMA);
        TableOperations operations = operations();
        TableMetadata base = operations.current();
        String large = "x".repeat(2 << 20);
        operations.commit(base, base.replaceProperties(Map.of(PROPERTY, large)));
        forFiles(Files::delete);
        assertThat(operations.current().properties()).containsEntry(PROPERTY, large);
        assertThatThrownBy(this::owner).isInstanceOf(NotFoundException.class);
    }

    /** Engines choose their file system by the scheme, and maintenance compares locations as text. */
    @Test
    void aPointerIsALocationAsTheStoreSpellsIt() {
        catalog.buildTable(TABLE, SCHEMA)
                .withLocation("file:" + directory.resolve("warehouse/acme/elsewhere"))
                .create();
        assertThat(operations().current().metadataFileLocation()).startsWith("file:///");
        set(catalog.loadTable(TABLE), "own");
        assertThat(operations().current().metadataFileLocation()).startsWith("file:///");
    }

    /** What stays in memory after a commit is what a reader of the file gets, be it compressed or not. */
    @Test
    void whatIsKeptIsWhatWasWritten() {
        List<Consumer<Table>> commits = List.of(
                table -> set(table, "own"),
                table -> table.updateSchema()
                        .addColumn("größe", Types.LongType.get())
                        .commit(),
                table -> table.updateSpec().addField(Expressions.day("ts")).commit(),
                table -> table.newAppend()
                        .appendFile(DataFiles.builder(table.spec())
                                .withPath(table.location() + "/a.parquet")
                                .withPartitionPath("ts_day=2026-01-01")
                                .withFileSizeInBytes(1)
                                .withRecordCount(1)
                                .build())
                        .commit(),
                table -> table.manageSnapshots()
                        .createTag("kept", table.currentSnapshot().snapshotId())
                        .commit(),
                table -> table.updateProperties()
                        .set(TableProperties.METADATA_COMPRESSION, "gzip")
                        .commit(),
                table -> table.newFastAppend().commit(),
                table -> table.updateProperties()
                        .set(TableProperties.METADATA_COMPRESSION, "none")
                        .commit());
        catalog.createTable(TABLE, SCHEMA);
        for (Consumer<Table> commit : commits) {
            commit.accept(catalog.loadTable(TABLE));
            TableMetadata kept = operations().current();
            TableMetadata read = TableMetadataParser.read(catalog.io(), kept.metadataFileLocation());
            assertThat(TableMetadataParser.toJson(kept)).isEqualTo(TableMetadataParser.toJson(read));
            assertThat(kept.changes()).isEmpty();
        }
        assertThat(operations().current().metadataFileLocation()).contains("/00008-");
    }

    /** A snapshot would keep them for as long as its table is kept, whatever their size. */
    @Test
    void aCheckedSnapshotKeepsNoManifests() throws IOException {
        Table table = catalog.createTable(TABLE, SCHEMA);
        TableMetadata base = operations().current();
        Snapshot added = table.newFastAppend().apply();
        new AddedDeletes(base, catalog.io()).check(added);
        forFiles(Files::delete);
        assertThatThrownBy(() -> added.allManifests(catalog.io())).isInstanceOf(NotFoundException.class);
    }

    /** The file of a table that was registered is not written, and must be read. */
    @Test
    void aRegisteredTableIsThatOfItsFile() {
        catalog.createTable(TABLE, SCHEMA);
        TableIdentifier second = TableIdentifier.of(NAMESPACE, "again");
        Table registered = catalog.registerTable(second, operations().current().metadataFileLocation());
        assertThat(registered.uuid()).isEqualTo(catalog.loadTable(TABLE).uuid());
        assertThat(catalog.loadTable(second).uuid()).isEqualTo(registered.uuid());
    }

    @Test
    void aFileThatIsGoneIsNotFound() throws IOException {
        catalog.createTable(TABLE, SCHEMA);
        set(catalog.loadTable(TABLE), "own");
        assertThat(owner()).isEqualTo("own");
        forFiles(Files::delete);
        assertThatThrownBy(this::owner).isInstanceOf(NotFoundException.class);
    }

    /** A client may put a large property into each of many versions. */
    @Test
    void aLargeFileIsNotKept() throws IOException {
        catalog.createTable(TABLE, SCHEMA);
        String large = "x".repeat(2 << 20);
        set(catalog.loadTable(TABLE), large);
        assertThat(owner()).isEqualTo(large);
        forFiles(file -> Files.writeString(file, Files.readString(file).replace(large, "read anew")));
        assertThat(owner()).isEqualTo("read anew");
    }

    private interface Change {
        void of(Path file) throws IOException;
    }

    /** Changes each file of the warehouse. */
    private void forFiles(Change change) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("warehouse"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                change.of(file);
            }
        }
    }

    private long countFiles() {
        try (Stream<Path> files = Files.walk(directory.resolve("warehouse"))) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TableOperations operations() {
        return ((BaseTable) catalog.loadTable(TABLE)).operations();
    }

    private String owner() {
        return catalog.loadTable(TABLE).properties().get(PROPERTY);
    }

    private static void set(Table table, String owner) {
        table.updateProperties().set(PROPERTY, owner).commit();
    }
}
