package io.cordwood.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class ColumnUnionTest {
    private final ColumnUnion union = new ColumnUnion();

    @Test
    void hasEachColumnThatOneTableHas() {
        union.add(List.of(keyword("level"), of("code", ColumnType.BIGINT)), 99);
        union.add(List.of(keyword("odd")), 1);
        assertThat(union.columns()).containsExactly(of("code", ColumnType.BIGINT), keyword("level"), keyword("odd"));
    }

    @Test
    void typesThatDifferAreDoubleIfNumbersAndElseVarchar() {
        union.add(List.of(of("a", ColumnType.BIGINT), of("b", ColumnType.DOUBLE), of("c", ColumnType.BOOLEAN)), 1);
        union.add(List.of(of("a", ColumnType.DOUBLE), of("b", ColumnType.BIGINT), of("c", ColumnType.BIGINT)), 1);
        union.add(List.of(of("d", ColumnType.TIMESTAMP)), 1);
        union.add(List.of(of("d", ColumnType.DOUBLE)), 1);
        union.add(List.of(of("e", ColumnType.BIGINT)), 1);
        union.add(List.of(of("e", ColumnType.DOUBLE)), 1);
        union.add(List.of(keyword("e")), 1);
        assertThat(union.columns())
                .containsExactly(
                        of("a", ColumnType.DOUBLE),
                        of("b", ColumnType.DOUBLE),
                        keyword("c"),
                        keyword("d"),
                        keyword("e"));
    }

    @Test
    void saysHowMatchReadsAColumnIfAllTablesAgree() {
        union.add(List.of(text("both"), text("numbers"), text("same")), 1);
        union.add(List.of(keyword("both"), of("numbers", ColumnType.BIGINT), text("same")), 1);
        assertThat(union.columns())
                .containsExactly(
                        new StreamColumn("both", ColumnType.VARCHAR, IndexKind.NONE),
                        new StreamColumn("numbers", ColumnType.VARCHAR, IndexKind.NONE),
                        text("same"));
    }

    @Test
    void keepsThoseThatMostTablesHave() {
        List<List<StreamColumn>> tables = new ArrayList<>();
        for (int column = 0; column < ColumnUnion.MAX_COLUMNS + 2; column++) {
            tables.add(List.of(keyword("c%04d".formatted(column))));
        }
        // One more table has the last: then the two before it are left out
        tables.add(List.of(keyword("c0501")));
        Collections.shuffle(tables, new Random(7));
        tables.forEach(table -> union.add(table, 1));
        assertThat(union.columns())
                .hasSize(ColumnUnion.MAX_COLUMNS)
                .isSortedAccordingTo((left, right) -> left.name().compareTo(right.name()))
                .extracting(StreamColumn::name)
                .contains("c0000", "c0498", "c0501")
                .doesNotContain("c0499", "c0500");
    }

    @Test
    void columnsOfATableAreThoseThatSqlShows() {
        List<Types.NestedField> fields =
                new ArrayList<>(TableSchemas.baseSchema().columns());
        fields.add(Types.NestedField.optional(20, "size", Types.LongType.get()));
        fields.add(Types.NestedField.optional(21, "size.double", Types.DoubleType.get()));
        fields.add(Types.NestedField.optional(22, "alone.double", Types.DoubleType.get()));
        fields.add(Types.NestedField.optional(23, "message", Types.StringType.get()));
        fields.add(Types.NestedField.optional(24, "level", Types.StringType.get()));
        fields.add(Types.NestedField.optional(25, "Level", Types.LongType.get()));
        fields.add(Types.NestedField.optional(26, "$path", Types.StringType.get()));
        fields.add(Types.NestedField.optional(
                27, "map", Types.MapType.ofOptional(28, 29, Types.StringType.get(), Types.StringType.get())));
        fields.add(Types.NestedField.optional(30, "day", Types.DateType.get()));
        assertThat(TableSchemas.streamColumns(
                        new Schema(fields), Map.of(TableSchemas.TEXT_COLUMNS_PROPERTY, "[\"message\"]")))
                .containsExactly(
                        of("alone.double", ColumnType.DOUBLE),
                        keyword("level"),
                        text("message"),
                        of("size", ColumnType.DOUBLE));
    }

    private static StreamColumn of(String name, ColumnType type) {
        return new StreamColumn(name, type, IndexKind.NONE);
    }

    private static StreamColumn keyword(String name) {
        return new StreamColumn(name, ColumnType.VARCHAR, IndexKind.KEYWORD);
    }

    private static StreamColumn text(String name) {
        return new StreamColumn(name, ColumnType.VARCHAR, IndexKind.TEXT);
    }
}
