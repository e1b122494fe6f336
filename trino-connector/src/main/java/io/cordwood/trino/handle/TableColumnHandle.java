package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.type.Type;

/**
 * A column of a table. Immutable.
 *
 * @param column the column of the query module
 */
public record TableColumnHandle(QueryColumn column) implements CordwoodColumnHandle {
    public static final TableColumnHandle TENANT_ID = new TableColumnHandle(QueryColumn.TENANT_ID);

    public TableColumnHandle {
        requireNonNull(column, "column is null");
    }

    @Override
    public String name() {
        return column.name();
    }

    @Override
    public Type type() {
        return SqlTypes.type(column.type());
    }

    @Override
    @JsonIgnore
    public boolean isComparable() {
        return column.isComparable();
    }

    @Override
    @JsonIgnore
    public boolean isNullable() {
        return switch (column.source()) {
            case PATH -> true;
            case TENANT_ID -> false;
            case STORED, TIER, OVERFLOW -> !name().equals(LogBlockSchema.TS) && !isHidden();
        };
    }

    /** The text in {@code EXPLAIN}. */
    @Override
    public String toString() {
        return name() + ":" + type().getDisplayName();
    }
}
