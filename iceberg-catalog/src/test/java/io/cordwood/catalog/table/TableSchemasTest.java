package io.cordwood.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableSchemasTest {
    @Test
    void baseSchemaHasTheIdsThatIcebergGives() {
        Schema base = TableSchemas.baseSchema();
        TableMetadata table = TableMetadata.newTableMetadata(base, TableSchemas.daySpec(base), "file:///w/t", Map.of());
        assertThat(table.schema().asStruct()).isEqualTo(base.asStruct());
        assertThat(TableSchemas.isDaySpec(table.spec())).isTrue();
    }

    @Test
    void baseSchemaAsALogBlock() {
        LogBlockSchema schema = TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of());
        assertThat(schema.columns())
                .containsExactly(
                        Column.keyword("tenant_id", 1).asRequired(),
                        Column.of("ts", 2, ColumnType.TIMESTAMP).asRequired(),
                        Column.map("attributes", 3, 8, 9),
                        Column.of("_kafka_topic_id", 4, ColumnType.VARCHAR).asRequired(),
                        Column.of("_kafka_partition", 5, ColumnType.BIGINT).asRequired(),
                        Column.of("_kafka_offset", 6, ColumnType.BIGINT).asRequired(),
                        Column.of("_kafka_ordinal", 7, ColumnType.BIGINT).asRequired());
    }

    @Test
    void theTableRecordsWhichColumnsAreText() {
        Schema schema = new Schema(
                Types.NestedField.optional(1, "message", Types.StringType.get()),
                Types.NestedField.optional(2, "http.status", Types.StringType.get()));
        Map<String, String> properties = Map.of(
                TableSchemas.TEXT_COLUMNS_PROPERTY, TableSchemas.textColumnsProperty(List.of("message", "gone")));
        assertThat(properties).containsEntry("cordwood.text-columns", "[\"gone\",\"message\"]");
        assertThat(TableSchemas.logBlockSchema(schema, properties).columns())
                .containsExactly(Column.text("message", 1), Column.keyword("http.status", 2));
        assertThatThrownBy(() -> TableSchemas.textColumns(Map.of("cordwood.text-columns", "[")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void columnsThatWereDroppedAreKnownByTheirId() {
        TableMetadata table = TableMetadata.newTableMetadata(
                new Schema(
                        Types.NestedField.optional(1, "level", Types.StringType.get()),
                        Types.NestedField.optional(2, "code", Types.LongType.get())),
                PartitionSpec.unpartitioned(),
                "file:///w/t",
                Map.of());
        TableMetadata dropped = table.updateSchema(new Schema(
                Types.NestedField.optional(2, "status", Types.LongType.get()),
                Types.NestedField.optional(3, "level", Types.BooleanType.get())));
        assertThat(TableSchemas.everyColumn(dropped))
                .isEqualTo(Map.of(
                        1, Column.keyword("level", 1),
                        2, Column.of("status", 2, ColumnType.BIGINT),
                        3, Column.of("level", 3, ColumnType.BOOLEAN)));
    }

    @Test
    void columnsOfOthersThatNoLogBlockHasAreLeftOut() {
        Schema schema = new Schema(
                Types.NestedField.optional(1, "n", Types.IntegerType.get()),
                Types.NestedField.optional(2, "t", Types.TimestampType.withoutZone()),
                Types.NestedField.optional(
                        3, "m", Types.MapType.ofOptional(4, 5, Types.StringType.get(), Types.LongType.get())),
                Types.NestedField.optional(6, "b", Types.BooleanType.get()));
        assertThat(TableSchemas.logBlockSchema(schema, Map.of()).columns())
                .containsExactly(Column.of("b", 6, ColumnType.BOOLEAN));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MAP")
    void typesMapBothWays(ColumnType type) {
        assertThat(TableSchemas.columnType(TableSchemas.icebergType(type))).contains(type);
    }

    @Test
    void aNameMappingSaysWhatColumnsAreCalled() {
        String property = TableProperties.DEFAULT_NAME_MAPPING;
        assertThat(TableSchemas.columnNames(Map.of())).isEqualTo(ColumnNames.NONE);
        String mapping = NameMappingParser.toJson(MappingUtil.create(TableSchemas.baseSchema()));
        assertThat(TableSchemas.columnNames(Map.of(property, mapping)).fieldIds())
                .containsEntry("ts", 2)
                .containsEntry("attributes", 3)
                .containsEntry(ColumnNames.nested("attributes", ColumnNames.KEY), 8)
                .containsEntry(ColumnNames.nested("attributes", ColumnNames.VALUE), 9)
                .hasSize(9);
        String other = "[{\"names\": [\"not read\"]}, {\"field-id\": 2, \"names\": [\"ts\", \"time\"]}]";
        assertThat(TableSchemas.columnNames(Map.of(property, other)).fieldIds()).isEqualTo(Map.of("ts", 2, "time", 2));
        assertThatThrownBy(() -> TableSchemas.columnNames(Map.of(property, "{}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Property schema.name-mapping.default is not a name mapping: {}");
    }

    @Test
    void onlyDayOfTsIsTheDaySpec() {
        Schema schema = TableSchemas.baseSchema();
        assertThat(TableSchemas.isDaySpec(PartitionSpec.unpartitioned())).isFalse();
        assertThat(TableSchemas.isDaySpec(
                        PartitionSpec.builderFor(schema).hour("ts").build()))
                .isFalse();
        assertThat(TableSchemas.isDaySpec(PartitionSpec.builderFor(schema)
                        .day("ts")
                        .identity("tenant_id")
                        .build()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ts", "tenant_id", "attributes", "attributes.a", "$path", "_kafka_offset", "_", "Level"})
    void noOneAddsAColumnOfAReservedName(String name) {
        assertThatThrownBy(() -> ColumnDefinition.keyword(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyVarcharColumnsAreSearched() {
        assertThatThrownBy(() -> new ColumnDefinition("n", ColumnType.BIGINT, IndexKind.TEXT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ColumnDefinition("s", ColumnType.VARCHAR, IndexKind.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ColumnDefinition.of("m", ColumnType.MAP)).hasMessageContaining("map");
    }
}
