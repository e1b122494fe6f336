package io.cordwood.record.decode;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.assemble.NewColumn;
import java.util.ArrayList;
import java.util.List;

/** Schemas of tables, as the catalog makes them. */
public final class Tables {
    public static final LogBlockSchema BASE = new LogBlockSchema(List.of(
            Column.keyword(LogBlockSchema.TENANT_ID, 1).asRequired(),
            Column.of(LogBlockSchema.TS, 2, ColumnType.TIMESTAMP).asRequired(),
            Column.map(LogBlockSchema.ATTRIBUTES, 3, 4, 5),
            Column.keyword(LogBlockSchema.KAFKA_TOPIC_ID, 6).asRequired(),
            Column.of(LogBlockSchema.KAFKA_PARTITION, 7, ColumnType.BIGINT).asRequired(),
            Column.of(LogBlockSchema.KAFKA_OFFSET, 8, ColumnType.BIGINT).asRequired(),
            Column.of(LogBlockSchema.KAFKA_ORDINAL, 9, ColumnType.BIGINT).asRequired()));

    private Tables() {}

    /** The base schema and these columns. */
    public static LogBlockSchema with(List<NewColumn> added) {
        return widened(BASE, added);
    }

    public static LogBlockSchema with(NewColumn... added) {
        return with(List.of(added));
    }

    public static LogBlockSchema widened(LogBlockSchema table, List<NewColumn> added) {
        List<Column> columns = new ArrayList<>(table.columns());
        int id = 100 + columns.size();
        for (NewColumn column : added) {
            columns.add(new Column(column.name(), id++, column.type(), column.index(), false, 0, 0));
        }
        return new LogBlockSchema(columns);
    }

    public static NewColumn column(String name, ColumnType type) {
        return new NewColumn(name, type, type == ColumnType.VARCHAR ? IndexKind.KEYWORD : IndexKind.NONE, false);
    }
}
