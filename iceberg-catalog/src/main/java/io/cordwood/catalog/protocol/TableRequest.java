package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import java.util.List;

/**
 * What some rows of a tenant need: its table, with these columns. Immutable.
 *
 * @param columns columns that the table should have
 * @param ofNewTable further columns of a table that is not there yet
 * @param rows the rows; no table is made if some of them were deleted with the tenant
 */
public record TableRequest(
        String tenantId, List<ColumnDefinition> columns, List<ColumnDefinition> ofNewTable, OffsetRange rows) {
    public TableRequest {
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(rows, "rows is null");
        columns = List.copyOf(columns);
        ofNewTable = List.copyOf(ofNewTable);
    }
}
