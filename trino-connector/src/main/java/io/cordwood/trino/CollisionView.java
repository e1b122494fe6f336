package io.cordwood.trino;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.ConnectorViewDefinition.ViewColumn;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.BigintType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A view of rows of a tenant with the same microsecond, by one of ChronoLog's event collision semantics. The table
 * itself shows the remaining one: all rows, in order. Every table has each view, named by a suffix. Immutable.
 *
 * <p>The engine plans the view's window function itself. It pushes only conditions on the partitioning columns, tenant
 * and time, below the window.
 */
enum CollisionView {
    /** The first row. */
    FIRST("", " WHERE \"$place\" = 1"),
    /** The last row. */
    LAST(" DESC", " WHERE \"$place\" = 1"),
    /** All rows, numbered from 0. */
    NUMBERED("", "");

    /** The number of a row among the rows of its microsecond. Members of records cannot have this name. */
    static final String NUMBER = "_collision";

    private static final char SEPARATOR = '$';

    private final String direction;
    private final String condition;

    CollisionView(String direction, String condition) {
        this.direction = direction;
        this.condition = condition;
    }

    /** A view and its table, parsed from a name. */
    record Named(CollisionView view, SchemaTableName table) {
        /** Parses the name of a view; empty for any other name. */
        static Optional<Named> of(SchemaTableName name) {
            int separator = name.getTableName().lastIndexOf(SEPARATOR);
            return Arrays.stream(CollisionView.values())
                    .filter(view -> separator > 0
                            && name.getTableName().substring(separator + 1).equals(view.suffix()))
                    .findFirst()
                    .map(view -> new Named(
                            view,
                            new SchemaTableName(
                                    name.getSchemaName(), name.getTableName().substring(0, separator))));
        }
    }

    private String suffix() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The definition of the view of a table.
     *
     * @param columns the columns that the table shows
     * @param owner with whose rights it runs; empty for those of the user
     */
    ConnectorViewDefinition definition(
            String catalog, SchemaTableName table, List<TableColumnHandle> columns, Optional<String> owner) {
        List<ViewColumn> shown = new ArrayList<>();
        columns.forEach(
                column -> shown.add(new ViewColumn(column.name(), column.type().getTypeId(), Optional.empty())));
        if (this == NUMBERED) {
            shown.add(new ViewColumn(NUMBER, BigintType.BIGINT.getTypeId(), Optional.empty()));
        }
        return new ConnectorViewDefinition(
                sql(table, shown),
                Optional.of(catalog),
                Optional.of(table.getSchemaName()),
                shown,
                Optional.empty(),
                owner,
                owner.isEmpty(),
                List.of());
    }

    private String sql(SchemaTableName table, List<ViewColumn> shown) {
        String order = Stream.of(QueryColumn.PARTITION.name(), QueryColumn.OFFSET.name(), QueryColumn.ORDINAL.name())
                .map(column -> quoted(column) + direction)
                .collect(Collectors.joining(", "));
        String place = "row_number() OVER (PARTITION BY %s, %s ORDER BY %s)"
                .formatted(LogBlockSchema.TENANT_ID, LogBlockSchema.TS, order);
        String numbered = this == NUMBERED ? place + " - 1 AS " + NUMBER : place + " AS \"$place\"";
        return "SELECT %s FROM (SELECT *, %s FROM %s)%s"
                .formatted(
                        shown.stream().map(column -> quoted(column.getName())).collect(Collectors.joining(", ")),
                        numbered,
                        quoted(table.getTableName()),
                        condition);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
