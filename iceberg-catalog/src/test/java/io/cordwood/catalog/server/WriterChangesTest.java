package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer changes nothing of its table that ingest, compaction and queries rely on. */
class WriterChangesTest {
    @TempDir
    private Path directory;

    private SecuredService service;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory);
        service.admin.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("host")));
        String writer = service.person("writer", "acme", TenantRole.READER, TenantRole.WRITER);
        table = service.client(writer).catalog().loadTable(TableIdentifier.of("acme", "logs"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void refused(String what, Consumer<Table> change) {
        Schema before = table.schema();
        assertThatThrownBy(() -> change.accept(table)).as(what).isInstanceOf(BadRequestException.class);
        table.refresh();
        assertThat(table.schema().sameSchema(before)).as(what).isTrue();
    }

    @Test
    void noColumnIsChanged() {
        refused(
                "rename",
                own -> own.updateSchema().renameColumn("host", "server").commit());
        refused("drop", own -> own.updateSchema().deleteColumn("host").commit());
        refused(
                "drop",
                own -> own.updateSchema()
                        .deleteColumn(LogBlockSchema.KAFKA_OFFSET)
                        .commit());
        refused(
                "optional",
                own -> own.updateSchema().makeColumnOptional("tenant_id").commit());
        refused("move", own -> own.updateSchema().moveFirst("host").commit());
        refused(
                "identifier",
                own -> own.updateSchema().setIdentifierFields("tenant_id").commit());
        refused(
                "drop and add",
                own -> own.updateSchema()
                        .deleteColumn("host")
                        .addColumn("host", Types.LongType.get())
                        .commit());
    }

    @Test
    void columnsAreAddedAsServicesAddThem() {
        refused(
                "struct",
                own -> own.updateSchema()
                        .addColumn("s", Types.StructType.of(Types.NestedField.optional(100, "x", Types.LongType.get())))
                        .commit());
        refused(
                "int",
                own -> own.updateSchema()
                        .addColumn("i", Types.IntegerType.get())
                        .commit());
        refused(
                "map",
                own -> own.updateSchema()
                        .addColumn(
                                "m", Types.MapType.ofOptional(100, 101, Types.StringType.get(), Types.StringType.get()))
                        .commit());
        refused(
                "upper case",
                own -> own.updateSchema()
                        .addColumn("Host", Types.StringType.get())
                        .commit());
        refused(
                "reserved",
                own -> own.updateSchema()
                        .addColumn("$offset", Types.LongType.get())
                        .commit());
        refused(
                "required",
                own -> own.updateSchema()
                        .allowIncompatibleChanges()
                        .addRequiredColumn("r", Types.LongType.get())
                        .commit());
        table.updateSchema()
                .addColumn("latency", Types.DoubleType.get())
                .addColumn("user", Types.StringType.get())
                .commit();
        CatalogClient ingest = service.client(service.service(ServiceRole.INGEST));
        ingest.ensureTable(
                "acme",
                "logs",
                List.of(ColumnDefinition.of("latency", ColumnType.BIGINT), ColumnDefinition.keyword("zone")));
        table.refresh();
        assertThat(TableSchemas.streamColumns(table.schema(), Map.of()))
                .extracting(column -> column.name() + " " + column.type())
                .containsExactly("host VARCHAR", "latency DOUBLE", "user VARCHAR", "zone VARCHAR");
    }

    @Test
    void noFormerSchemaComesBack() {
        service.admin.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("zone")));
        table.refresh();
        int former = table.schemas().keySet().stream().min(Integer::compare).orElseThrow();
        assertThatThrownBy(
                        () -> service.client(service.admin.createToken("writer").token())
                                .catalog()
                                .loadTable(TableIdentifier.of("acme", "logs"))
                                .updateSchema()
                                .deleteColumn("zone")
                                .commit())
                .as("the client sets the former schema %d again", former)
                .isInstanceOf(BadRequestException.class);
    }

    @Test
    void partitionsAndSortOrderStay() {
        refused("spec", own -> own.updateSpec().addField("host").commit());
        refused("spec", own -> own.updateSpec().removeField("ts_day").commit());
        refused("sort order", own -> own.replaceSortOrder().asc("host").commit());
        refused(
                "bucket",
                own -> own.updateSpec().addField(Expressions.bucket("host", 4)).commit());
    }

    @Test
    void propertiesThatServicesReadStay() {
        for (String[] property : new String[][] {
            {"gc.enabled", "false"},
            {"commit.manifest.min-count-to-merge", "many"},
            {"commit.retry.num-retries", "-"},
            {"history.expire.min-snapshots-to-keep", "x"},
            {"write.metadata.compression-codec", "none"},
            {"write.metadata.previous-versions-max", "0"},
            {"write.avro.compression-codec", "unknown"},
            {"write.manifest-lists.enabled", "false"},
            {"read.split.target-size", "x"},
            {"schema.name-mapping.default", "{"},
            {"comment", "x".repeat(1 << 20)},
        }) {
            refused(
                    property[0],
                    own -> own.updateProperties().set(property[0], property[1]).commit());
        }
        refused(
                "commit",
                own -> own.updateProperties()
                        .remove("commit.manifest.min-count-to-merge")
                        .commit());
        table.updateProperties()
                .set("schema.name-mapping.default", "[{\"field-id\":2,\"names\":[\"time\"]}]")
                .set("comment", "ours")
                .set("write.parquet.compression-codec", "zstd")
                .commit();
    }

    /** Sends changes as no client makes them. */
    private HttpResponse<String> send(String updates) throws Exception {
        return service.send(
                "POST",
                "/v1/namespaces/acme/tables/logs",
                "{\"requirements\":[],\"updates\":[%s]}".formatted(updates),
                service.admin.createToken("writer").token());
    }

    private void refused(String updates, String reason) throws Exception {
        HttpResponse<String> answer = send(updates);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(reason);
    }

    @Test
    void theFormatVersionStays() throws Exception {
        for (String version : List.of("x", "3")) {
            refused(
                    "{\"action\":\"set-properties\",\"updates\":{\"format-version\":\"%s\"}}".formatted(version),
                    "'format-version'");
        }
    }

    @Test
    void aFormerSchemaDoesNotComeBackUnderItsNumber() throws Exception {
        int former = table.schema().schemaId();
        service.admin.ensureTable("acme", "logs", List.of(ColumnDefinition.keyword("zone")));
        table.refresh();
        String present = SchemaParser.toJson(new Schema(former, table.schema().columns()));
        refused("""
                {"action":"add-schema","schema":%s},{"action":"set-current-schema","schema-id":%d}""".formatted(present, former), "Schema %d is there".formatted(former));
    }

    @Test
    void addedColumnsHaveTheNextIds() throws Exception {
        int next = table.schema().highestFieldId() + 1;
        for (int id : new int[] {Integer.MAX_VALUE, next + 1, Integer.MAX_VALUE - 1}) {
            refused(addColumn(id), "field id %d, and the table's next is %d".formatted(id, next));
        }
        HttpResponse<String> answer = send(addColumn(next));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        table.refresh();
        assertThat(table.schema().findField("latency").fieldId()).isEqualTo(next);
    }

    private String addColumn(int id) {
        List<Types.NestedField> columns = new ArrayList<>(table.schema().columns());
        columns.add(Types.NestedField.optional(id, "latency", Types.LongType.get()));
        return """
                {"action":"add-schema","schema":%s},{"action":"set-current-schema","schema-id":-1}""".formatted(SchemaParser.toJson(new Schema(100, columns)));
    }

    private DataFile data(int i) {
        return DataFiles.builder(table.spec())
                .withPath("%s/data/%d.parquet".formatted(table.location(), i))
                .withPartitionPath("ts_day=2024-01-01")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build();
    }

    @Test
    void snapshotsFollowTheCurrentOne() throws Exception {
        table.newFastAppend().appendFile(data(1)).commit();
        long parent = table.currentSnapshot().snapshotId();
        String list = ForgedSnapshots.manifestList(table, table.location() + "/metadata/snap-forged.avro", List.of());
        String uuid = table.uuid().toString();
        assertThat(forged(ForgedSnapshots.commit(uuid, list, parent, 2)
                        .replace("\"sequence-number\":2", "\"sequence-number\":" + Long.MAX_VALUE)))
                .isEqualTo(400);
        assertThat(forged(ForgedSnapshots.commit(uuid, list, parent, 3))).isEqualTo(400);
        assertThat(forged(ForgedSnapshots.commit(uuid, list, parent, 1)))
                .as("a client that did not see the latest commit tries again")
                .isEqualTo(409);
        assertThat(forged(ForgedSnapshots.commit(uuid, list).replace("\"sequence-number\":1", "\"sequence-number\":2")))
                .as("without a parent")
                .isEqualTo(409);
        assertThat(forged(ForgedSnapshots.commit(uuid, list, parent, 2))).isEqualTo(200);
        assertThat(forged(ForgedSnapshots.commit(uuid, list, parent, 2)))
                .as("repeated")
                .isEqualTo(200);
        table.refresh();
        Transaction both = table.newTransaction();
        both.newFastAppend().appendFile(data(2)).commit();
        both.newFastAppend().appendFile(data(3)).commit();
        both.commitTransaction();
        assertThat(table.currentSnapshot().sequenceNumber()).isEqualTo(4);
    }

    private int forged(String commit) throws Exception {
        return service.send(
                        "POST",
                        "/v1/namespaces/acme/tables/logs",
                        commit,
                        service.admin.createToken("writer").token())
                .statusCode();
    }

    @Test
    void referencesStay() throws Exception {
        table.newFastAppend().appendFile(data(1)).commit();
        long first = table.currentSnapshot().snapshotId();
        Table operators = service.admin.catalog().loadTable(TableIdentifier.of("acme", "logs"));
        operators
                .manageSnapshots()
                .createTag("audit", first)
                .setMaxSnapshotAgeMs("main", 1_000_000_000)
                .commit();
        table.refresh();
        refused("tag", own -> own.manageSnapshots().createTag("mine", first).commit());
        refused("branch", own -> own.manageSnapshots().createBranch("mine").commit());
        refused(
                "age",
                own -> own.manageSnapshots().setMaxSnapshotAgeMs("main", 1).commit());
        refused(
                "count",
                own -> own.manageSnapshots().setMinSnapshotsToKeep("main", 1000).commit());
        refused("remove", own -> own.manageSnapshots().removeTag("audit").commit());
        table.newFastAppend().appendFile(data(2)).commit();
        refused(
                "{\"action\":\"remove-snapshots\",\"snapshot-ids\":[%d]}".formatted(first),
                "reference 'audit' is to it");
        table.refresh();
        assertThat(table.refs()).containsOnlyKeys("main", "audit");
        assertThat(table.refs().get("main").maxSnapshotAgeMs()).isEqualTo(1_000_000_000);
    }

    @Test
    void aLocationIsNotLongerThanStoresAllow() {
        DataFile file = DataFiles.builder(table.spec())
                .withPath(table.location() + "/data/" + "x".repeat(1 << 20) + ".parquet")
                .withPartitionPath("ts_day=2024-01-01")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build();
        assertThatThrownBy(() -> table.newFastAppend().appendFile(file).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("longer than 2048 characters")
                .extracting(Throwable::getMessage)
                .satisfies(message -> assertThat(message.length()).isLessThan(500));
    }
}
