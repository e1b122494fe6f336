package io.cordwood.trino;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table of TPC-H as a stream of logs: its rows in order, a second apart. Dates are text, as in any JSON. */
final class TpchLogs {
    static final double SCALE = 0.01;

    private TpchLogs() {}

    /** The columns in TPC-H's order; comments are text columns. */
    static List<ColumnDefinition> columns(TpchTable<?> table) {
        return table.getColumns().stream().map(TpchLogs::column).toList();
    }

    private static ColumnDefinition column(TpchColumn<?> column) {
        String name = column.getSimplifiedColumnName();
        return switch (column.getType().getBase()) {
            case IDENTIFIER, INTEGER -> ColumnDefinition.of(name, ColumnType.BIGINT);
            case DOUBLE -> ColumnDefinition.of(name, ColumnType.DOUBLE);
            case DATE, VARCHAR -> name.equals("comment") ? ColumnDefinition.text(name) : ColumnDefinition.keyword(name);
        };
    }

    static <E extends TpchEntity> List<SampleRow> rows(TpchTable<E> table) {
        List<SampleRow> rows = new ArrayList<>();
        for (E entity : table.createGenerator(SCALE, 1, 1)) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (TpchColumn<E> column : table.getColumns()) {
                values.put(column.getSimplifiedColumnName(), value(column, entity));
            }
            rows.add(new SampleRow(SampleLogs.START_MICROS + rows.size() * 1_000_000L, values));
        }
        return rows;
    }

    private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
        TpchColumnType type = column.getType();
        return switch (type.getBase()) {
            case IDENTIFIER -> column.getIdentifier(entity);
            case INTEGER -> (long) column.getInteger(entity);
            case DOUBLE -> column.getDouble(entity);
            case DATE, VARCHAR -> column.getString(entity);
        };
    }
}
