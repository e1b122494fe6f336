package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.NoSuchTableException;

/** Tables of any Iceberg catalog. Thread-safe. */
final class CatalogTables implements CommitTables {
    private final Catalog catalog;
    private final ArchivedThrough archivedThrough;

    CatalogTables(Catalog catalog, ArchivedThrough archivedThrough) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.archivedThrough = requireNonNull(archivedThrough, "archivedThrough is null");
    }

    @Override
    public Found find(String tenantId, String stream) {
        TableOffsets settled = archivedThrough.read(tenantId, stream);
        try {
            BaseTable table = (BaseTable) catalog.loadTable(TenantNames.table(tenantId, stream));
            return new Found(settled, Optional.of(table.operations()));
        } catch (NoSuchTableException e) {
            return new Found(settled, Optional.empty());
        }
    }

    @Override
    public Map<String, Found> findAll(String stream, Set<String> tenantIds) {
        return Map.of();
    }

    @Override
    public void raiseFloors(String tenantId, String stream, TableOffsets offsets) {
        archivedThrough.raiseFloors(tenantId, stream, offsets);
    }
}
