package io.cordwood.catalog.server.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.ServiceFixture;
import io.cordwood.catalog.table.DenseAfter;
import io.cordwood.catalog.table.TableOffsets;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of the Iceberg endpoints cannot do, through the service. */
class TableRulesTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
    private static final Namespace ACME = Namespace.of("acme");
    private static final TableIdentifier LOGS = TableIdentifier.of(ACME, "logs");

    @TempDir
    private Path directory;

    private ServiceFixture service;
    private Catalog catalog;

    @BeforeEach
    void start() throws Exception {
        service = new ServiceFixture("jdbc:sqlite:" + directory.resolve("catalog.db"), directory.resolve("warehouse"));
        catalog = service.client.catalog();
        service.client.ensureTable("acme", "logs", List.of());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "a/b", "a b", "../logs"})
    void namesOfTablesAreChecked(String name) {
        TableIdentifier table = TableIdentifier.of(ACME, name);
        refused(() -> catalog.createTable(table, SCHEMA), "cannot be the name");
        refused(() -> catalog.newCreateTableTransaction(table, SCHEMA), "cannot be the name");
        refused(() -> catalog.renameTable(LOGS, table), "cannot be the name");
    }

    @Test
    void aTableStaysWithItsTenant() {
        ((SupportsNamespaces) catalog).createNamespace(Namespace.of("beta"));
        refused(() -> catalog.renameTable(LOGS, TableIdentifier.of("beta", "logs")), "are those of the tenant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "a/b", "a.b"})
    void namesOfNamespacesAreChecked(String name) {
        refused(() -> ((SupportsNamespaces) catalog).createNamespace(Namespace.of(name)), "cannot be a namespace");
        refused(() -> ((SupportsNamespaces) catalog).createNamespace(Namespace.of("a", name)), "cannot be a namespace");
    }

    @Test
    void daysUntilATableIsDenseAreANumber() {
        refused(
                () -> catalog.buildTable(TableIdentifier.of(ACME, "mine"), SCHEMA)
                        .withProperty(DenseAfter.PROPERTY, "30d")
                        .create(),
                "it must be a number of days");
        Table table = catalog.loadTable(LOGS);
        refused(
                () -> table.updateProperties().set(DenseAfter.PROPERTY, "soon").commit(),
                "it must be a number of days");
        table.updateProperties().set(DenseAfter.PROPERTY, "30").commit();
    }

    @Test
    void aTableLiesInItsOwnDirectory() {
        String warehouse = "file://" + directory.resolve("warehouse");
        TableIdentifier mine = TableIdentifier.of(ACME, "mine");
        for (String elsewhere : List.of(
                warehouse + "/acme/logs",
                warehouse + "/acme/mine2",
                warehouse + "/acme/mine/../logs",
                warehouse,
                "file:///tmp/x")) {
            refused(
                    () -> catalog.buildTable(mine, SCHEMA)
                            .withLocation(elsewhere)
                            .create(),
                    "must be");
            refused(
                    () -> catalog.buildTable(mine, SCHEMA)
                            .withProperty("write.metadata.path", elsewhere)
                            .create(),
                    "write.metadata.path");
        }
        Table created = catalog.buildTable(mine, SCHEMA)
                .withLocation(warehouse + "/acme/mine/v2")
                .create();
        assertThat(created.location()).isEqualTo(warehouse + "/acme/mine/v2");
        refused(
                () -> created.updateLocation()
                        .setLocation(warehouse + "/acme/logs")
                        .commit(),
                "must be");
        refused(
                () -> created.updateProperties()
                        .set("write.data.path", "file:///tmp/x")
                        .commit(),
                "write.data.path");
    }

    @Test
    void purgingDeletesNoFile() throws Exception {
        Path location = LocalFileIO.path(catalog.loadTable(LOGS).location());
        assertThat(catalog.dropTable(LOGS, true)).isTrue();
        try (var files = Files.list(location.resolve("metadata"))) {
            assertThat(files).isNotEmpty();
        }
    }

    @Test
    void offsetsMoveUpWithMain() throws Exception {
        moveMain("{\"topic-A\":{\"0\":10,\"1\":5},\"topic-old\":{\"0\":7}}");
        String raised = "{\"topic-A\":{\"0\":20,\"1\":5}}";
        Table table = catalog.loadTable(LOGS);
        refused(
                () -> table.updateProperties()
                        .set(TableOffsets.PROPERTY, raised)
                        .commit(),
                "moves branch main");
        refused(() -> table.updateProperties().remove(TableOffsets.PROPERTY).commit(), "cannot be removed");
        refused(() -> moveMain("{\"topic-A\":{\"0\":9,\"1\":5}}"), "cannot be lowered");
        refused(() -> moveMain("{\"topic-A\":{\"0\":10}}"), "cannot be lowered");
        refused(() -> moveMain("{"), "not JSON");
        refused(
                () -> catalog.buildTable(TableIdentifier.of(ACME, "mine"), SCHEMA)
                        .withProperty(TableOffsets.PROPERTY, raised)
                        .create(),
                "POST /cordwood/v1/tables");
        moveMain(raised);
        assertThat(service.client.table("acme", "logs"))
                .map(LoadedTable::offsets)
                .contains(TableOffsets.fromJson(raised));
    }

    /** A racer whose base is not the current one must not slip in because it left the assertion out. */
    @Test
    void offsetsNeedTheAssertionOfMain() throws Exception {
        HttpResponse<String> answer = service.send(
                "POST", "/v1/namespaces/acme/tables/logs", """
                {"requirements":[],"updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":7,
                  "sequence-number":1,"timestamp-ms":%d,"manifest-list":"file:///w/snap-7-a.avro",
                  "summary":{"operation":"append"},"schema-id":0}},
                  {"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":7},
                  {"action":"set-properties","updates":{"cordwood.offsets":"{\\"t\\":{\\"0\\":1}}"}}]}""".formatted(System.currentTimeMillis() + 1000));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("asserts where it was");
    }

    private void moveMain(String offsets) {
        Table table = catalog.loadTable(LOGS);
        Transaction transaction = table.newTransaction();
        transaction.updateProperties().set(TableOffsets.PROPERTY, offsets).commit();
        transaction
                .newAppend()
                .appendFile(DataFiles.builder(table.spec())
                        .withPath(table.location() + "/data/x.parquet")
                        .withPartitionPath("ts_day=2026-01-01")
                        .withFileSizeInBytes(1)
                        .withRecordCount(1)
                        .build())
                .commit();
        transaction.commitTransaction();
    }

    private static void refused(ThrowingCallable change, String message) {
        // Iceberg's client makes one or the other of a 400, by the type in the answer.
        assertThatThrownBy(change)
                .isInstanceOfAny(BadRequestException.class, IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
