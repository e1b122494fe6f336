package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import java.util.List;

/**
 * A request for a tenant's table with some columns, on behalf of some rows. Immutable.
 *
 * @param columns columns that the table should have
 * @param ofNewTable further columns of a table that must be created
 * @param rows the rows; no table is created if some of them were deleted with the tenant
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
