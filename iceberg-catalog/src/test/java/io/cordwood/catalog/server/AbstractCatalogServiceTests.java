package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.maintenance.TenantDeletions;
import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.User;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.catalog.usage.IngestTotals;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.identity.TenantRole;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.services.Waiting;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the service promises, run on every database. */
abstract class AbstractCatalogServiceTests {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "data", Types.StringType.get()));
    private static final Namespace ACME = Namespace.of("acme");
    private static final TableIdentifier TABLE = TableIdentifier.of(ACME, "t");
    private static final PartitionId P0 = new PartitionId("topic-A", 0);
    private static final PartitionId P1 = new PartitionId("topic-A", 1);

    @TempDir
    private Path directory;

    private ServiceFixture service;
    private CatalogClient client;
    private Catalog catalog;
    private SupportsNamespaces namespaces;

    /** URL of an empty database. */
    abstract String jdbcUrl(Path directory) throws Exception;

    @BeforeEach
    void start() throws Exception {
        service = new ServiceFixture(jdbcUrl(directory), directory.resolve("warehouse"));
        client = service.client;
        catalog = client.catalog();
        namespaces = (SupportsNamespaces) catalog;
    }

    @AfterEach
    void stop() {
        service.close();
    }

    CatalogClient client() {
        return client;
    }

    @Test
    void namespaces() {
        namespaces.createNamespace(ACME);
        assertThat(namespaces.namespaceExists(ACME)).isTrue();
        assertThat(namespaces.listNamespaces()).containsExactly(ACME);
        assertThatThrownBy(() -> namespaces.createNamespace(ACME)).isInstanceOf(AlreadyExistsException.class);
        // Iceberg asks these for null, which immutable collections refuse.
        namespaces.setProperties(ACME, new HashMap<>(Map.of("a", "1", "b", "2")));
        namespaces.removeProperties(ACME, new HashSet<>(Set.of("a")));
        assertThat(namespaces.loadNamespaceMetadata(ACME))
                .containsEntry("b", "2")
                .doesNotContainKey("a");
        catalog.createTable(TABLE, SCHEMA);
        assertThatThrownBy(() -> namespaces.dropNamespace(ACME)).isInstanceOf(NamespaceNotEmptyException.class);
        catalog.dropTable(TABLE, true);
        assertThat(namespaces.dropNamespace(ACME)).isTrue();
        assertThat(namespaces.namespaceExists(ACME)).isFalse();
        assertThatThrownBy(() -> namespaces.loadNamespaceMetadata(ACME)).isInstanceOf(NoSuchNamespaceException.class);
    }

    @Test
    void tables() {
        assertThatThrownBy(() -> catalog.createTable(TABLE, SCHEMA)).isInstanceOf(NoSuchNamespaceException.class);
        namespaces.createNamespace(ACME);
        Table created = catalog.createTable(TABLE, SCHEMA);
        assertThat(created.location()).startsWith("file://" + directory.resolve("warehouse") + "/acme/t/made-");
        assertThat(created.properties())
                .containsEntry("write.metadata.delete-after-commit.enabled", "true")
                .containsEntry("write.metadata.compression-codec", "gzip");
        assertThatThrownBy(() -> catalog.createTable(TABLE, SCHEMA)).isInstanceOf(AlreadyExistsException.class);
        assertThat(catalog.tableExists(TABLE)).isTrue();
        created.updateSchema().addColumn("more", Types.DoubleType.get()).commit();
        created.updateProperties().set("p", "v").commit();
        Table loaded = catalog.loadTable(TABLE);
        assertThat(loaded.schema().findField("more").type()).isEqualTo(Types.DoubleType.get());
        assertThat(loaded.properties()).containsEntry("p", "v");
        TableIdentifier renamed = TableIdentifier.of(ACME, "renamed");
        catalog.renameTable(TABLE, renamed);
        assertThat(catalog.listTables(ACME)).containsExactly(renamed);
        assertThatThrownBy(() -> catalog.loadTable(TABLE)).isInstanceOf(NoSuchTableException.class);
        assertThat(catalog.dropTable(renamed, true)).isTrue();
        assertThat(catalog.dropTable(renamed, false)).isFalse();
    }

    @Test
    void stagedCreation() {
        namespaces.createNamespace(ACME);
        Transaction create = catalog.newCreateTableTransaction(TABLE, SCHEMA);
        create.newAppend()
                .appendFile(DataFiles.builder(create.table().spec())
                        .withPath(create.table().location() + "/x.parquet")
                        .withFileSizeInBytes(1)
                        .withRecordCount(1)
                        .build())
                .commit();
        assertThat(catalog.tableExists(TABLE)).isFalse();
        create.commitTransaction();
        assertThat(catalog.loadTable(TABLE).currentSnapshot().summary()).containsEntry("total-records", "1");
        assertThatThrownBy(() -> catalog.newCreateTableTransaction(TABLE, SCHEMA))
                .isInstanceOf(AlreadyExistsException.class);
    }

    @Test
    void listsInPages() throws Exception {
        for (int i = 0; i < 5; i++) {
            namespaces.createNamespace(Namespace.of("n" + i));
            catalog.buildTable(TableIdentifier.of("n0", "t" + i), SCHEMA).create();
        }
        assertThat(service.get("/v1/namespaces?pageSize=2&pageToken=").body())
                .contains("n0", "n1", "\"next-page-token\":\"2\"")
                .doesNotContain("n2");
        assertThat(service.get("/v1/namespaces/n0/tables?pageSize=3&pageToken=3")
                        .body())
                .contains("t3", "t4")
                .doesNotContain("t2", "\"next-page-token\":\"");
    }

    @Test
    void oldMetadataFilesAreDeleted() throws Exception {
        namespaces.createNamespace(ACME);
        Table table = catalog.createTable(TABLE, SCHEMA);
        for (int i = 0; i < 30; i++) {
            table.updateProperties().set("i", Integer.toString(i)).commit();
        }
        try (var files = Files.list(LocalFileIO.path(table.location() + "/metadata"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".gz.metadata.json")))
                    .hasSizeBetween(2, 22);
        }
    }

    @Test
    void aClientThatDoesNotNeedTheTableGetsNone() throws Exception {
        LoadedTable table = client.ensureTable("acme", "logs", List.of());
        String path = "/v1/namespaces/acme/tables/logs";
        String body = """
                {"requirements":[{"type":"assert-table-uuid","uuid":"%s"}],
                 "updates":[{"action":"set-properties","updates":{"owner":"%s"}}]}""";
        HttpResponse<String> answer =
                service.send("POST", path, body.formatted(table.uuid(), "me"), "Prefer", "return=minimal");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("return=minimal");
        assertThat(service.get(path).body()).contains("\"owner\":\"me\"");
        HttpResponse<String> refused =
                service.send("POST", path, body.formatted(UUID.randomUUID(), "you"), "Prefer", "return=minimal");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("CommitFailedException");
        HttpResponse<String> whole =
                service.send("POST", path, body.formatted(table.uuid(), "you"), "Prefer", "return=representation");
        assertThat(whole.body()).contains("\"owner\":\"you\"");
    }

    /** A proxy, or the client's own HTTP layer, sends a commit again whose answer it did not get. */
    @Test
    void aRepeatedCommitIsTheSuccessItWas() throws Exception {
        LoadedTable table = client.ensureTable("acme", "logs", List.of());
        String path = "/v1/namespaces/acme/tables/logs";
        String first = """
                {"requirements":[{"type":"assert-table-uuid","uuid":"%s"},
                  {"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":null}],
                 "updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":7,"sequence-number":1,
                  "timestamp-ms":%d,"manifest-list":"file:///w/snap-7-a.avro",
                  "summary":{"operation":"append"},"schema-id":0}},
                  {"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":7}]}""".formatted(table.uuid(), System.currentTimeMillis() + 1000);
        HttpResponse<String> answer = service.send("POST", path, first);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        HttpResponse<String> again = service.send("POST", path, first);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(again.body()).contains("snap-7-a.avro");
        assertThat(service.send("POST", path, first, "Prefer", "return=minimal").statusCode())
                .isEqualTo(204);
        String otherAttempt = first.replace("snap-7-a", "snap-7-b");
        assertThat(service.send("POST", path, otherAttempt).statusCode()).isEqualTo(409);
        String other = first.replace("\"snapshot-id\":7", "\"snapshot-id\":8");
        assertThat(service.send("POST", path, other).statusCode()).isEqualTo(409);
        assertThat(service.get("/metrics").body())
                .contains("cordwood_catalog_commits_total 1\n")
                .contains("cordwood_catalog_repeated_commits_total 2\n")
                .contains("cordwood_catalog_commit_conflicts_total 2\n");
    }

    /** Java encodes half of a surrogate pair as a question mark; all readers of the table must see the same. */
    @Test
    void textThatIsNoUnicodeIsTheSameForAllReaders() throws Exception {
        LoadedTable table = client.ensureTable("acme", "logs", List.of());
        String path = "/v1/namespaces/acme/tables/logs";
        HttpResponse<String> answer = service.send("POST", path, """
                {"requirements":[{"type":"assert-table-uuid","uuid":"%s"}],
                 "updates":[{"action":"set-properties","updates":{"owner":"\\ud800"}}]}""".formatted(table.uuid()));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"owner\":\"?\"");
        HttpResponse<String> found = service.send("POST", "/cordwood/v1/streams/logs/table", "{\"tenant\":\"acme\"}");
        assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
        assertThat(found.body()).contains("\"owner\":\"?\"");
    }

    @Test
    void columnsOfANewTableAreNotAddedToOneThatIsThere() {
        List<ColumnDefinition> columns = List.of(ColumnDefinition.keyword("level"));
        List<ColumnDefinition> ofNewTable = List.of(ColumnDefinition.text("level"), ColumnDefinition.text("message"));
        OffsetRange rows = new OffsetRange(P0, 0, 10);
        LoadedTable created = client.ensureTable("acme", "logs", columns, ofNewTable, rows)
                .table()
                .orElseThrow();
        assertThat(created.schema().column("level")).contains(Column.keyword("level", 8));
        assertThat(created.schema().column("message")).contains(Column.text("message", 9));
        LoadedTable found = client.ensureTable(
                        "acme", "logs", columns, List.of(ColumnDefinition.of("n", ColumnType.BIGINT)), rows)
                .table()
                .orElseThrow();
        assertThat(found.metadataLocation()).isEqualTo(created.metadataLocation());
    }

    @Test
    void ensureTableCreatesAndWidens() {
        LoadedTable created = client.ensureTable(
                "Acme", "logs", List.of(ColumnDefinition.text("message"), ColumnDefinition.keyword("level")));
        assertThat(created.offsets()).isEqualTo(TableOffsets.NONE);
        assertThat(created.location()).startsWith("file://" + directory.resolve("warehouse") + "/~41cme/logs/made-");
        assertThat(created.schema().column("message")).contains(Column.text("message", 8));
        assertThat(created.schema().column("level")).contains(Column.keyword("level", 9));
        LoadedTable widened = client.ensureTable(
                "Acme",
                "logs",
                List.of(
                        ColumnDefinition.keyword("level"),
                        ColumnDefinition.of("http.status", ColumnType.BIGINT),
                        ColumnDefinition.of("http.status.double", ColumnType.DOUBLE),
                        ColumnDefinition.text("error.message")));
        assertThat(widened.uuid()).isEqualTo(created.uuid());
        assertThat(widened.schema().columns().stream().map(Column::name))
                .containsExactly(
                        "tenant_id",
                        "ts",
                        "attributes",
                        "_kafka_topic_id",
                        "_kafka_partition",
                        "_kafka_offset",
                        "_kafka_ordinal",
                        "message",
                        "level",
                        "http.status",
                        "http.status.double",
                        "error.message");
        assertThat(widened.schema().column("error.message").orElseThrow().index())
                .isEqualTo(io.cordwood.logblock.schema.IndexKind.TEXT);
        assertThat(widened.schema().column("message").orElseThrow().index())
                .isEqualTo(io.cordwood.logblock.schema.IndexKind.TEXT);
        assertThat(client.table("Acme", "logs")).map(LoadedTable::schema).contains(widened.schema());
        assertThat(client.table("Acme", "others")).isEmpty();
        assertThat(client.tenants()).containsExactly(Tenant.of("Acme"));
        assertThat(TableSchemas.textColumns(
                        catalog.loadTable(TableIdentifier.of("~41cme", "logs")).properties()))
                .containsExactly("error.message", "message");
    }

    @Test
    void tablesAreMadeAndWidenedTogether() {
        ColumnDefinition level = ColumnDefinition.keyword("level");
        ColumnDefinition message = ColumnDefinition.text("message");
        OffsetRange rows = new OffsetRange(P0, 0, 10);
        client.ensureTable("acme", "logs", List.of(level));
        List<TableReply> replies = client.ensureTables(
                "logs",
                List.of(
                        new TableRequest("acme", List.of(), List.of(message), rows),
                        new TableRequest("beta", List.of(level), List.of(message), rows),
                        new TableRequest("", List.of(), List.of(), rows),
                        new TableRequest("acme", List.of(message), List.of(), rows)));
        assertThat(columns(replies.get(0))).containsExactly("level");
        assertThat(columns(replies.get(1))).containsExactly("level", "message");
        assertThat(replies.get(2).ensured()).isEmpty();
        assertThat(replies.get(2).failure()).contains("0 bytes");
        assertThat(columns(replies.get(3))).containsExactly("level", "message");
        assertThat(client.tenants()).containsExactly(Tenant.of("acme"), Tenant.of("beta"));
    }

    private static List<String> columns(TableReply reply) {
        LoadedTable table = reply.ensured().orElseThrow().table().orElseThrow();
        return table.schema().columns().stream()
                .map(Column::name)
                .skip(TableSchemas.baseSchema().columns().size())
                .toList();
    }

    @Test
    void columnsNamedLikeAPartitionFieldAreLeftOut() {
        List<ColumnDefinition> wishes =
                List.of(ColumnDefinition.keyword("ts_day"), ColumnDefinition.of("a", ColumnType.BIGINT));
        LoadedTable created = client.ensureTable("acme", "logs", wishes);
        assertThat(created.schema().column("ts_day")).isEmpty();
        assertThat(created.schema().column("a")).isPresent();
        LoadedTable widened = client.ensureTable(
                "acme", "logs", List.of(ColumnDefinition.text("ts_day"), ColumnDefinition.of("b", ColumnType.BIGINT)));
        assertThat(widened.schema().column("ts_day")).isEmpty();
        assertThat(widened.schema().column("b")).isPresent();
        assertThat(client.ensureTable("acme", "logs", wishes).metadataLocation())
                .isEqualTo(widened.metadataLocation());
    }

    /** What a tenant or a member may be called, a file system, a URL, SQL or Iceberg may take for something else. */
    @Test
    void anyTenantAndAnyColumn() {
        List<String> tenants = List.of(
                "Acme",
                "acme",
                ".",
                "..",
                "../../etc",
                "a/b",
                "%00",
                "'",
                "\"",
                " ",
                "~61",
                "all_tenants",
                "system",
                "information_schema",
                "\0",
                "\n",
                "\u001b",
                "😀",
                "\u202ea",
                "e\u0301",
                "\u00e9",
                "\uffff",
                "X".repeat(128));
        List<ColumnDefinition> columns = List.of(
                        ".",
                        "..",
                        "a.",
                        ".a",
                        "\"",
                        "'",
                        " ",
                        "/",
                        "\\",
                        "😀",
                        "\u202ea",
                        "1",
                        "select",
                        "*",
                        "\uffff",
                        "\u0085",
                        "element",
                        "key",
                        "day",
                        "ä".repeat(256))
                .stream()
                .map(ColumnDefinition::text)
                .toList();
        for (String tenant : tenants) {
            client.ensureTable(tenant, "logs", List.of());
            LoadedTable table = client.ensureTable(tenant, "logs", columns);
            assertThat(table.tenantId()).isEqualTo(tenant);
            assertThat(table.schema().columns().stream().map(Column::name))
                    .containsAll(columns.stream().map(ColumnDefinition::name).toList());
            assertThat(client.table(tenant, "logs").orElseThrow().schema()).isEqualTo(table.schema());
            assertThat(client.tenant(tenant)).contains(Tenant.of(tenant));
        }
        assertThat(client.tenants()).extracting(Tenant::id).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(client.pointers("logs").tables())
                .extracting(Pointers.TablePointer::tenantId)
                .containsExactlyInAnyOrderElementsOf(tenants);
    }

    @Test
    void ofTwoThatWidenTheFirstDecidesTheType() throws Exception {
        List<ColumnDefinition> wishes = List.of(
                ColumnDefinition.keyword("code"),
                ColumnDefinition.of("code", ColumnType.BIGINT),
                ColumnDefinition.of("code", ColumnType.DOUBLE),
                ColumnDefinition.of("code", ColumnType.BOOLEAN));
        List<Future<LoadedTable>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ColumnDefinition wish : wishes) {
                results.add(threads.submit(() -> client.ensureTable("acme", "logs", List.of(wish))));
            }
        }
        Column winner = client.table("acme", "logs")
                .orElseThrow()
                .schema()
                .column("code")
                .orElseThrow();
        for (Future<LoadedTable> result : results) {
            assertThat(result.get().schema().column("code")).contains(winner);
        }
    }

    /** What two writers ask for that know nothing of each other, in either order. */
    @Test
    void ofANameAndThatOfItsTwinTheFirstDecides() {
        ColumnDefinition bigint = ColumnDefinition.of("x", ColumnType.BIGINT);
        ColumnDefinition ownDouble = ColumnDefinition.of("x.double", ColumnType.DOUBLE);
        client.ensureTable("own-first", "logs", List.of(ownDouble));
        assertThat(typesOfX("own-first", List.of(bigint)))
                .as("values of x.double would be taken for values of x")
                .isEqualTo("x.double DOUBLE");
        assertThat(typesOfX("own-first", List.of(bigint, ownDouble)))
                .as("asked for as a twin")
                .isEqualTo("x.double DOUBLE");
        assertThat(typesOfX("own-first", List.of(ColumnDefinition.of("x", ColumnType.DOUBLE))))
                .isEqualTo("x.double DOUBLE, x DOUBLE");

        client.ensureTable("bigint-first", "logs", List.of(bigint));
        for (ColumnDefinition own : List.of(ownDouble, ColumnDefinition.keyword("x.double"))) {
            assertThat(typesOfX("bigint-first", List.of(own)))
                    .as("the name belongs to the twin of x")
                    .isEqualTo("x BIGINT");
        }
        assertThat(typesOfX("bigint-first", List.of(bigint, ownDouble)))
                .as("asked for as a twin")
                .isEqualTo("x BIGINT, x.double DOUBLE");

        client.ensureTable("text-first", "logs", List.of(ColumnDefinition.keyword("x")));
        assertThat(typesOfX("text-first", List.of(bigint, ownDouble)))
                .as("a twin of what is no bigint column")
                .isEqualTo("x VARCHAR");
        assertThat(typesOfX("text-first", List.of(ownDouble))).isEqualTo("x VARCHAR, x.double DOUBLE");

        assertThat(typesOfX("new", List.of(ownDouble, bigint))).isEqualTo("x.double DOUBLE");
        assertThat(typesOfX("new-twins", List.of(bigint, ownDouble))).isEqualTo("x BIGINT, x.double DOUBLE");
    }

    private String typesOfX(String tenantId, List<ColumnDefinition> wishes) {
        return client.ensureTable(tenantId, "logs", wishes).schema().columns().stream()
                .filter(column -> column.name().startsWith("x"))
                .map(column -> column.name() + " " + column.type())
                .collect(Collectors.joining(", "));
    }

    @Test
    void ofANameAndThatOfItsTwinAskedForAtOnceOneIsRefused() throws Exception {
        List<ColumnDefinition> wishes = List.of(
                ColumnDefinition.of("x", ColumnType.BIGINT), ColumnDefinition.of("x.double", ColumnType.DOUBLE));
        for (int round = 0; round < 10; round++) {
            String tenantId = "tenant-" + round;
            client.ensureTable(tenantId, "logs", List.of());
            List<Future<LoadedTable>> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (ColumnDefinition wish : wishes) {
                    results.add(threads.submit(() -> client.ensureTable(tenantId, "logs", List.of(wish))));
                }
            }
            for (Future<LoadedTable> result : results) {
                result.get();
            }
            assertThat(typesOfX(tenantId, List.of())).isIn("x BIGINT", "x.double DOUBLE");
        }
    }

    @Test
    void flushRequestsAreNeverLoweredAndForgottenWhenArchivedThroughHasPassed() {
        client.requestFlush("Acme", "logs", TableOffsets.of(Map.of(P0, 50L, P1, 20L)));
        client.requestFlush("Acme", "logs", TableOffsets.of(Map.of(P0, 40L)));
        client.requestFlush("other", "logs", TableOffsets.of(Map.of(P0, 60L)));
        assertThat(client.flushRequests("logs"))
                .isEqualTo(Map.of(
                        "Acme", TableOffsets.of(Map.of(P0, 50L, P1, 20L)), "other", TableOffsets.of(Map.of(P0, 60L))));
        assertThat(client.flushRequests("others")).isEmpty();
        client.advanceArchivedThrough("others", Map.of(P0, 100L));
        client.advanceArchivedThrough("logs", Map.of(P0, 50L, P1, 19L));
        assertThat(client.flushRequests("logs"))
                .isEqualTo(Map.of("Acme", TableOffsets.of(Map.of(P1, 20L)), "other", TableOffsets.of(Map.of(P0, 60L))));
        client.requestFlush("late", "logs", TableOffsets.of(Map.of(P0, 50L)));
        assertThat(client.flushRequests("logs")).containsOnlyKeys("Acme", "other");
    }

    @Test
    void deletionsAreKept() {
        Deletion first = new Deletion(
                "id-1",
                "Acme",
                "logs",
                "user = 'x'",
                "query-1",
                "alice",
                1_000,
                7,
                List.of("file:///a", "file:///b"),
                OptionalLong.empty(),
                OptionalLong.empty());
        Deletion second = new Deletion(
                "id-0",
                "other",
                "logs",
                "",
                "q",
                "bob",
                2_000,
                0,
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty());
        client.putDeletion(second);
        client.putDeletion(first);
        assertThat(client.deletions()).containsExactly(first, second);
        assertThat(first.status()).isEqualTo(Deletion.Status.PENDING);
        Deletion committed = first.committed(9_000_000_000L);
        client.putDeletion(committed);
        assertThat(client.deletions()).containsExactly(committed, second);
        assertThat(committed.status()).isEqualTo(Deletion.Status.INVISIBLE);
        Deletion gone = committed.gone(3_000);
        client.putDeletion(gone);
        client.forgetDeletion("id-0");
        assertThat(client.deletions()).containsExactly(gone);
        assertThat(gone.status()).isEqualTo(Deletion.Status.GONE);
    }

    @Test
    void archivedThroughIsNeverLowered() {
        assertThat(client.archivedThrough("logs")).isEmpty();
        assertThat(client.advanceArchivedThrough("logs", Map.of(P0, 100L, P1, 7L)))
                .isEqualTo(Map.of(P0, 100L, P1, 7L));
        assertThat(client.advanceArchivedThrough("logs", Map.of(P0, 99L, P1, 8L)))
                .isEqualTo(Map.of(P0, 100L, P1, 8L));
        assertThat(client.archivedThrough("others")).isEmpty();
    }

    @Test
    void onePointersCallTellsTablesAndArchivedThrough() {
        client.ensureTable("acme", "logs", List.of());
        client.ensureTable("x".repeat(60) + "\u0000" + "Ä".repeat(20), "logs", List.of());
        LoadedTable zeta = client.ensureTable("zeta", "logs", List.of(ColumnDefinition.text("message")));
        client.ensureTable("zeta", "others", List.of());
        client.advanceArchivedThrough("logs", Map.of(P0, 100L));
        Pointers all = client.pointers("logs");
        assertThat(all.archivedThrough()).isEqualTo(Map.of(P0, 100L));
        assertThat(all.tables())
                .extracting(Pointers.TablePointer::tenantId)
                .containsExactly("acme", "x".repeat(60) + "\u0000" + "Ä".repeat(20), "zeta");
        Pointers.TablePointer pointer = all.table("zeta").orElseThrow();
        assertThat(pointer.metadataLocation()).isEqualTo(zeta.metadataLocation());
        assertThat(client.table("logs", pointer)).satisfies(table -> {
            assertThat(table.uuid()).isEqualTo(zeta.uuid());
            assertThat(table.schema()).isEqualTo(zeta.schema());
        });
        Pointers some = client.pointers("logs", List.of("zeta", "nobody"));
        assertThat(some.tables()).containsExactly(pointer);
        assertThat(some.archivedThrough()).isEqualTo(Map.of(P0, 100L));
    }

    @Test
    void columnsOfAStreamAreThoseOfAllItsTables() throws Exception {
        assertThat(client.columns("logs")).isEmpty();
        client.ensureTable(
                "acme",
                "logs",
                List.of(ColumnDefinition.keyword("level"), ColumnDefinition.of("n", ColumnType.BIGINT)));
        assertThat(shown("logs")).containsExactly("level VARCHAR KEYWORD", "n BIGINT NONE");
        client.ensureTable(
                "beta", "logs", List.of(ColumnDefinition.of("n", ColumnType.DOUBLE), ColumnDefinition.text("message")));
        client.ensureTable("beta", "audit", List.of(ColumnDefinition.keyword("actor")));
        assertThat(shown("logs"))
                .as("at once")
                .containsExactly("level VARCHAR KEYWORD", "message VARCHAR TEXT", "n DOUBLE NONE");
        TableIdentifier acme = TableIdentifier.of("acme", "logs");
        catalog.loadTable(acme)
                .updateSchema()
                .addColumn("more", Types.BooleanType.get())
                .commit();
        assertThat(shown("logs")).contains("more BOOLEAN NONE");
        catalog.renameTable(TableIdentifier.of("beta", "audit"), TableIdentifier.of("beta", "renamed"));
        assertThat(shown("audit")).isEmpty();
        assertThat(shown("renamed")).containsExactly("actor VARCHAR KEYWORD");
        catalog.dropTable(acme);
        assertThat(shown("logs")).containsExactly("message VARCHAR TEXT", "n DOUBLE NONE");
        client.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("n")));
        assertThat(shown("logs")).containsExactly("message VARCHAR TEXT", "n VARCHAR KEYWORD");
        assertThat(service.get("/cordwood/v1/streams/no%20stream/columns").statusCode())
                .isEqualTo(400);
    }

    @Test
    void columnsOfTablesOfAnEarlierVersionAreFound() throws Exception {
        client.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("level")));
        assertThat(shown("logs")).containsExactly("level VARCHAR KEYWORD");
        try (Connection connection = DriverManager.getConnection(lastJdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM cordwood_table_columns");
        }
        assertThat(shown("logs")).containsExactly("level VARCHAR KEYWORD");
    }

    @Test
    void theColumnsOfADeletedTenantGoWithIt() throws Exception {
        client.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("level")));
        client.ensureTable("beta", "logs", List.of(ColumnDefinition.keyword("level")));
        assertThat(shown("logs")).containsExactly("level VARCHAR KEYWORD");
        client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P0, 50L))));
        try (Connection connection = DriverManager.getConnection(lastJdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery("SELECT table_namespace FROM cordwood_table_columns")) {
            assertThat(tables.next()).isTrue();
            assertThat(tables.getString(1)).isEqualTo("beta");
            assertThat(tables.next()).isFalse();
        }
    }

    private List<String> shown(String stream) {
        return client.columns(stream).stream()
                .map(column -> "%s %s %s".formatted(column.name(), column.type(), column.index()))
                .toList();
    }

    @Test
    void manyNamedTenants() {
        client.ensureTable("acme", "logs", List.of());
        client.ensureTable("beta", "logs", List.of());
        List<String> names = new ArrayList<>(List.of("acme"));
        for (int i = 0; i < 300; i++) {
            names.add("nobody" + i);
        }
        assertThat(client.pointers("logs", names).tables())
                .extracting(Pointers.TablePointer::tenantId)
                .containsExactly("acme");
    }

    @Test
    void tenantRegistry() {
        Tenant tenant = new Tenant(
                "Acme",
                OptionalInt.of(30),
                Map.of("logs", 7, "audit", 0),
                new Quota(OptionalLong.of(1_000_000), OptionalLong.of(500)),
                Map.of("logs", List.of("stacktrace")));
        client.putTenant(tenant);
        assertThat(client.tenant("Acme")).contains(tenant);
        client.ensureTable("Acme", "logs", List.of());
        assertThat(client.tenants()).containsExactly(tenant);
        Tenant withoutRows = tenant.withQuota(tenant.quota().withRowsPerSecond(OptionalLong.empty()));
        client.putTenant(withoutRows);
        assertThat(client.tenant("Acme")).contains(withoutRows);
        client.putTenant(Tenant.of("Acme"));
        assertThat(client.tenant("Acme")).contains(Tenant.of("Acme"));
        assertThat(client.tenant("nobody")).isEmpty();
    }

    @Test
    void aDeletedTenantBeginsAgainWithoutAQuota() {
        client.putTenant(Tenant.of("acme").withQuota(new Quota(OptionalLong.of(7), OptionalLong.of(5))));
        client.deleteTenant("acme", Map.of());
        client.ensureTable("acme", "logs", List.of());
        assertThat(client.tenant("acme")).contains(Tenant.of("acme"));
    }

    @Test
    void deletingATenantLeavesFloorsThatItsNextTableStartsFrom() {
        LoadedTable before = client.ensureTable("acme", "logs", List.of());
        TableOffsets floor = TableOffsets.of(Map.of(P0, 50L, P1, 60L));
        client.deleteTenant("acme", Map.of("logs", floor));
        assertThat(client.tenant("acme")).isEmpty();
        assertThat(client.table("acme", "logs")).isEmpty();
        assertThat(client.pointers("logs").tables()).isEmpty();
        assertThat(client.pointers("logs").floors()).isEqualTo(Map.of("acme", floor));
        assertThat(client.pointers("logs", List.of("acme")).floors()).isEqualTo(Map.of("acme", floor));
        assertThat(client.flushRequests("logs"))
                .as("what the ingest job holds is to go, and it is to know that there is no table")
                .isEqualTo(Map.of("acme", floor));
        client.advanceArchivedThrough("logs", Map.of(P1, 70L));
        assertThat(client.flushRequests("logs")).isEqualTo(Map.of("acme", TableOffsets.of(Map.of(P0, 50L))));
        assertThat(client.read("acme", "logs")).isEqualTo(TableOffsets.of(Map.of(P0, 50L, P1, 70L)));
        LoadedTable after = client.ensureTable("acme", "logs", List.of());
        assertThat(after.uuid()).isNotEqualTo(before.uuid());
        assertThat(after.offsets()).isEqualTo(floor);
        assertThatThrownBy(() -> client.deleteTenant("nobody", Map.of()))
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.status()).isEqualTo(404));
    }

    @Test
    void rowsBelowTheFloorMakeNeitherATableNorATenant() {
        client.ensureTable("acme", "logs", List.of());
        client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P0, 50L))));
        List<ColumnDefinition> columns = List.of(ColumnDefinition.keyword("secret"));
        OffsetRange before = new OffsetRange(P0, 20, 50);
        OffsetRange across = new OffsetRange(P0, 49, 60);
        OffsetRange after = new OffsetRange(P0, 50, 60);
        for (OffsetRange rows : List.of(before, across)) {
            assertThat(client.ensureTable("acme", "logs", columns, List.of(), rows))
                    .isEqualTo(EnsuredTable.deletedBelow(50));
            assertThat(client.ensureTables("logs", List.of(new TableRequest("acme", columns, List.of(), rows))))
                    .containsExactly(TableReply.of(EnsuredTable.deletedBelow(50)));
            assertThat(client.table("acme", "logs")).isEmpty();
            assertThat(client.tenant("acme")).isEmpty();
        }
        assertThat(client.ensureTables("logs", List.of(new TableRequest("acme", List.of(), columns, after))))
                .allMatch(reply -> reply.ensured().orElseThrow().table().isPresent());
        assertThat(client.ensureTable("acme", "logs", List.of(), List.of(), across)
                        .table())
                .as("it is there by now")
                .hasValueSatisfying(table -> {
                    assertThat(table.offsets()).isEqualTo(TableOffsets.of(Map.of(P0, 50L)));
                    assertThat(table.schema().column("secret")).isPresent();
                });
        assertThat(client.tenant("acme")).isPresent();
    }

    @Test
    void aTenantIsNotDeletedWithRowsFromAboveTheFloors() throws Exception {
        client.ensureTable("acme", "logs", List.of());
        commit("acme", 0, 50, 480_000);
        assertThatThrownBy(() -> client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P0, 49L)))))
                .hasMessageContaining("Read the ends again")
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.status()).isEqualTo(409));
        assertThatThrownBy(() -> client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P1, 10L)))))
                .as("a partition of the same topic that was not there when the ends were read")
                .hasMessageContaining("Read the ends again");
        assertThat(client.table("acme", "logs")).as("nothing has changed").isPresent();
        assertThat(client.tenant("acme")).isPresent();
        assertThat(client.pointers("logs").floors()).isEmpty();
        PartitionId ofNextTopic = new PartitionId("topic-B", 0);
        client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(ofNextTopic, 0L))));
        assertThat(client.table("acme", "logs")).isEmpty();
    }

    @Test
    void aTopicEndsWhenTheStreamHasAnother() {
        assertThat(client.setTopic("logs", "first")).isEmpty();
        assertThat(client.setTopic("logs", "first")).isEmpty();
        assertThat(client.setTopic("logs", "second")).containsExactly("first");
        assertThatThrownBy(() -> client.setTopic("logs", "first"))
                .hasMessageContaining("a broker lags behind the others")
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.status()).isEqualTo(409));
        assertThat(client.setTopic("logs", "second")).containsExactly("first");
        assertThat(client.endTopics("logs", Set.of("second"))).containsExactlyInAnyOrder("first", "second");
        assertThat(client.setTopic("logs", "third")).containsExactlyInAnyOrder("first", "second");
        assertThat(client.endTopics("logs", Set.of("second")))
                .as("a topic that was made meanwhile goes on")
                .doesNotContain("third");
        assertThat(client.setTopic("logs", "third")).containsExactlyInAnyOrder("first", "second");
        assertThat(client.endTopics("logs", Set.of("unread")))
                .contains("unread")
                .doesNotContain("third");
        assertThat(client.setTopic("others", "fourth")).isEmpty();
    }

    @Test
    void aDeletedTenantsObjectsGoAndThoseOfItsSuccessorStay() throws Exception {
        LoadedTable before = client.ensureTable("acme", "logs", List.of());
        LoadedTable others = client.ensureTable("acme", "others", List.of());
        LoadedTable neighbour = client.ensureTable("acme2", "logs", List.of());
        List<String> gone = List.of(write(before, "a"), write(before, "b"), write(others, "c"));
        String kept = write(neighbour, "d");
        client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P0, 50L))));
        assertThat(client.tenantDeletions()).singleElement().satisfies(deletion -> {
            assertThat(deletion.tenantId()).isEqualTo("acme");
            assertThat(deletion.locations()).containsExactlyInAnyOrder(before.location(), others.location());
            assertThat(deletion.isComplete()).isFalse();
        });
        assertThat(gone).as("deleted by whoever goes on").allMatch(this::exists);
        LoadedTable after = client.ensureTable("acme", "logs", List.of());
        assertThat(after.location()).isNotEqualTo(before.location());
        String ofSuccessor = write(after, "e");
        TenantDeletions deletions = new TenantDeletions(client);
        TenantDeletion started = client.tenantDeletions().getFirst();
        assertThat(deletions.resume(started)).map(TenantDeletion::isComplete).contains(true);
        assertThat(gone).noneMatch(this::exists);
        assertThat(List.of(kept, ofSuccessor)).allMatch(this::exists);
        assertThat(client.table("acme", "logs")).map(LoadedTable::uuid).contains(after.uuid());
        String late = write(before, "late");
        assertThat(deletions.resume(client.tenantDeletions().getFirst())).isPresent();
        assertThat(exists(late)).as("left by a writer that did not know").isFalse();
        client.deleteTenant("acme", Map.of("logs", TableOffsets.of(Map.of(P0, 60L))));
        assertThat(client.tenantDeletions()).singleElement().satisfies(deletion -> {
            assertThat(deletion.isComplete()).as("it began anew").isFalse();
            assertThat(deletion.locations()).contains(after.location());
        });
        assertThat(client.continueDeletion(started, true))
                .as("of the earlier one nothing is to be known any more")
                .map(TenantDeletion::isComplete)
                .contains(false);
        assertThat(client.pointers("logs").floors()).isEqualTo(Map.of("acme", TableOffsets.of(Map.of(P0, 60L))));
        assertThat(client.continueDeletion(new TenantDeletion("nobody", 0, List.of(), OptionalLong.empty()), true))
                .isEmpty();
    }

    private String write(LoadedTable table, String name) throws Exception {
        String location = table.location() + "/data/day=2026-01-01/" + name + ".parquet";
        client.io().newOutputFile(location).create().close();
        return location;
    }

    private boolean exists(String location) {
        return client.io().newInputFile(location).exists();
    }

    @Test
    void withoutAuthenticationGrantsAreKeptAndEveryCallerMayDoEverything() {
        client.ensureTable("acme", "logs", List.of());
        assertThat(client.accessRules().open()).isTrue();
        assertThat(client.accessRules().isOperator("anyone")).isTrue();
        client.putUser(User.operator("root"));
        client.putUser(User.person("alice", Map.of("acme", Set.of(TenantRole.READER))));
        AccessRules rules = client.accessRules();
        assertThat(rules.open()).isFalse();
        assertThat(rules.sees("alice", "acme")).isTrue();
        assertThat(rules.mayDelete("alice", "acme")).isFalse();
        assertThat(rules.sees("alice", "beta")).isFalse();
        assertThat(rules.isOperator("root")).isTrue();
        assertThat(client.tenants()).as("nobody needs a token").containsExactly(Tenant.of("acme"));
        assertThat(client.whoami().user().operator()).isTrue();
        client.deleteUser("root");
        client.deleteUser("alice");
        assertThat(client.accessRules().open())
                .as("taking the last grant away opens nothing")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "POST | /cordwood/v1/tables | nonsense | not JSON",
                "POST | /cordwood/v1/tables | [] | not a JSON object",
                "POST | /cordwood/v1/tables | {\"stream\":\"logs\",\"columns\":[]} | 'tenant' is missing",
                "POST | /cordwood/v1/tables | {\"tenant\":\"\",\"stream\":\"logs\",\"columns\":[]} | 0 bytes",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\"a/b\",\"columns\":[]} | cannot be the name of a stream",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\".\",\"columns\":[]} | cannot be the name of a stream",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\"..\",\"columns\":[]} | cannot be the name of a stream",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\"Logs\",\"columns\":[]} | lower case; ship to a topic 'logs'",
                "PUT | /cordwood/v1/streams/Logs/topic | {} | lower case; ship to a topic 'logs'",
                "POST | /cordwood/v1/streams/Logs/tables | {\"tables\":[]} | lower case; ship to a topic 'logs'",
                "POST | /cordwood/v1/streams/%2E%2E/pointers | {\"tenants\":[]} | cannot be the name of a stream",
                "DELETE | /cordwood/v1/tenants/acme | ^^ | send",
                "DELETE | /cordwood/v1/tenants/acme | {} | send",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\"logs\",\"columns\":[{\"name\":\"ts\",\"type\":\"bigint\"}]} | reserved",
                "POST | /cordwood/v1/tables | {\"tenant\":\"a\",\"stream\":\"logs\",\"columns\":[{\"name\":\"x\",\"type\":\"int\"}]} | must be one of",
                "POST | /cordwood/v1/streams/logs/archived-through | {\"t\":{\"0\":-5}} | negative",
                "POST | /cordwood/v1/streams/logs/pointers | {\"tenants\":\"a\"} | not an array",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"other\"} | has schema 'other'",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"retention-days\":0} | at least 1",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"stream-retention-days\":{\"logs\":-1}} | at least 1",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"stream-retention-days\":{\"..\":1}} | cannot be the name",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"stream-retention-days\":7} | not a JSON object",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"quota-bytes-per-second\":1.5} | not a whole number",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"quota-rows-per-second\":1.5} | not a whole number",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"quota-bytes-per-second\":0} | 0 bytes a second",
                "PUT | /cordwood/v1/tenants/acme | {\"id\":\"acme\",\"quota-rows-per-second\":-1} | -1 rows a second",
                "PUT | /cordwood/v1/users/a | {\"name\":\"b\"} | names user 'a'",
                "POST | /cordwood/v1/users/a/tokens | {} | has no authentication",
                "GET | /cordwood/v1/token-rules | ^^ | has no authentication",
                "PUT | /cordwood/v1/users/a | {\"name\":\"a\",\"tenants\":[\"acme\"]} | has become 'grants'",
                "PUT | /cordwood/v1/users/a | {\"name\":\"a\",\"grants\":{\"acme\":[\"owner\"]}} | 'owner' is not a role",
                "PUT | /cordwood/v1/users/a | {\"name\":\"a\",\"service\":\"ingest\",\"operator\":true} | it can be no operator",
                "GET | /cordwood/v1/audit?limit=0 | ^^ | must be 1 to",
                "GET | /v1/namespaces?pageSize=x | ^^ | is no number",
                "POST | /v1/namespaces | {\"namespace\": | not a CreateNamespaceRequest",
            })
    void refusesBadInput(String method, String path, String body, String message) throws Exception {
        HttpResponse<String> answer = service.send(method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(message).contains("\"code\":400").contains("\"type\":");
    }

    @Test
    void unknownPathsAndMissingThingsAre404() throws Exception {
        assertThat(service.get("/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(service.get("/v1/namespaces/nobody").body()).contains("NoSuchNamespaceException");
        assertThat(service.get("/cordwood/v1/users/nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void healthAndMetrics() throws Exception {
        assertThat(service.get("/v1/namespaces/nobody").statusCode()).isEqualTo(404);
        assertThat(service.get("/health").body()).isEqualTo("{\"status\":\"up\"}");
        // A request is counted after its answer
        for (String counted : List.of(
                "cordwood_catalog_requests_total{route=\"GET /v1/namespaces/{namespace}\",status=\"404\"} 1",
                "cordwood_catalog_request_seconds_bucket{route=\"GET /health\",le=\"+Inf\"} 1")) {
            Waiting.until(counted, () -> service.get("/metrics").body().contains(counted));
        }
        assertThat(service.get("/metrics").body())
                .contains("cordwood_catalog_usage_lost_commits_total 0", "cordwood_catalog_usage_unreadable_tables 0");
    }

    @Test
    void theTimeOfBrokersIsThatOfTheNewestRowAtLeast() throws Exception {
        assertThat(client.time().appended()).isEmpty();
        client.ensureTable("acme", "logs", List.of());
        commit("acme", 0, 10, 100);
        commit("acme", 10, 15, 90);
        client.usage(UsageFilter.ALL);
        Instant hour = Instant.ofEpochSecond(100 * 3600);
        ClockReadings time = client.time();
        assertThat(time.appended().orElseThrow()).isBetween(hour, hour.plusSeconds(600));
        assertThat(Duration.between(time.service(), Instant.now())).isLessThan(Duration.ofMinutes(10));
        try (ServiceFixture other = new ServiceFixture(lastJdbcUrl(), directory.resolve("warehouse"))) {
            assertThat(other.client.time().appended().orElseThrow())
                    .as("after a restart")
                    .isBetween(time.appended().orElseThrow(), hour.plusSeconds(600));
        }
    }

    @Test
    void usageIsAddedUpOnceByHour() throws Exception {
        client.ensureTable("o\u0000dd", "logs", List.of());
        commit("o\u0000dd", 0, 10, 100);
        commit("o\u0000dd", 10, 15, 100);
        commit("o\u0000dd", 15, 16, 130);
        client.reportScans(new Scans("a", 0, List.of(new Scans.Total("o\u0000dd", "logs", 100, 7))));
        client.reportScans(new Scans("a", 101, List.of(new Scans.Total("o\u0000dd", "logs", 100, 9))));
        client.reportScans(new Scans("b", 0, List.of(new Scans.Total("o\u0000dd", "logs", 100, 1))));
        Usage first = new Usage("o\u0000dd", "logs", 100, new IngestTotals(15, 150, 2), 10);
        Usage second = new Usage("o\u0000dd", "logs", 130, new IngestTotals(1, 10, 1), 0);
        for (int i = 0; i < 2; i++) {
            UsageParser.UsagePage page = client.usage(UsageFilter.ALL);
            assertThat(page.usage()).containsExactly(first, second);
            assertThat(page.nextHour()).isEmpty();
            assertThat(client.usage(UsageFilter.ALL.from(130)).usage()).containsExactly(second);
            // The same from another service over the same database, which was told of nothing
            try (ServiceFixture other = new ServiceFixture(lastJdbcUrl(), directory.resolve("warehouse"))) {
                assertThat(other.client
                                .usage(new UsageFilter(0, 1000, Set.of("o\u0000dd")))
                                .usage())
                        .containsExactly(first, second);
            }
        }
        client.deleteTenant("o\u0000dd", Map.of());
        assertThat(client.usage(UsageFilter.ALL).usage())
                .as("what was used stays used")
                .containsExactly(first, second);
        assertThat(service.send(
                                "POST",
                                "/v1/namespaces/acme/tables",
                                "{\"name\":\"t\",\"schema\":{\"type\":\"struct\",\"fields\":[]},\"properties\":{\"cordwood.usage\":\"{}\"}}")
                        .body())
                .contains("A new table cannot have cordwood.usage");
    }

    private void commit(String tenantId, long from, long to, long hour) throws Exception {
        LoadedTable table = client.ensureTable(tenantId, "logs", List.of());
        String location = LogBlockNames.newLocation(table.location(), 20_000, P0, from, to);
        try (OutputStream out = client.io().newOutputFile(location).create()) {
            out.write(1);
        }
        LogBlockFile file = new LogBlockFile(
                location,
                20_000,
                new LogBlockSummary(
                        1, to - from, 0, new TimeRange(0, 1), List.of(4L), Map.of(), Map.of(), Optional.empty()));
        Flush flush = new Flush(
                P0.topicId(),
                P0.partition(),
                from,
                to,
                table.uuid(),
                List.of(file),
                List.of(new AppendRun(from, hour, to - from, 10 * (to - from))));
        assertThat(client.committer((t, s, f, first) -> List.of()).commit(tenantId, "logs", List.of(flush)))
                .allMatch(outcome -> outcome.status() == CommitOutcome.Status.COMMITTED);
    }

    @Test
    void whatIsStoredSurvivesARestart() throws Exception {
        LoadedTable table = client.ensureTable("acme", "logs", List.of(ColumnDefinition.text("message")));
        client.advanceArchivedThrough("logs", Map.of(P0, 5L));
        assertThat(service.get("/metrics").body())
                .contains("cordwood_catalog_tenants 1\n", "cordwood_catalog_tables 1\n")
                .contains("cordwood_catalog_archived_through{stream=\"logs\",topic_id=\"%s\",partition=\"%d\"} 5\n"
                        .formatted(P0.topicId(), P0.partition()));
        String url = lastJdbcUrl();
        service.close();
        service = new ServiceFixture(url, directory.resolve("warehouse"));
        assertThat(service.client.table("acme", "logs"))
                .map(LoadedTable::schema)
                .contains(table.schema());
        assertThat(service.client.archivedThrough("logs")).isEqualTo(Map.of(P0, 5L));
    }

    /** URL of the database that the test runs on. */
    abstract String lastJdbcUrl();
}
