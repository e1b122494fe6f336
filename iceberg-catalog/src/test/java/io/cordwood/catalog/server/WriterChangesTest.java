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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
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
}
