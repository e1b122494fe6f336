package io.cordwood.hot;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.logblock.schema.LogBlockSchema;

/**
 * The table that hot rows of a tenant are decoded for. Immutable.
 *
 * @param tenantId the tenant
 * @param version identifies the schema: tables with the same version have the same schema
 * @param schema the table's columns; a member without one goes to {@code attributes}
 * @param offsets the offsets below which the tenant's rows are not hot: the rows are in its table, or were deleted with
 *     it
 */
public record HotTable(String tenantId, String version, LogBlockSchema schema, TableOffsets offsets) {
    public HotTable {
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(version, "version is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(offsets, "offsets is null");
    }
}
