package io.cordwood.catalog;

import java.util.List;

/**
 * A table that a tenant's first rows ask for. Immutable.
 *
 * @param columns the columns that it is created with
 * @param rows where the rows are
 */
public record NewTable(List<ColumnDefinition> columns, OffsetRange rows) {
    public NewTable {
        columns = List.copyOf(columns);
    }
}
