package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.TableOffsets;

/**
 * Offsets that are known to be settled without reading a table: archived-through, and the floors of deleted tenants.
 * Thread-safe.
 */
@FunctionalInterface
public interface ArchivedThrough {
    /**
     * Archived-through offset of every partition of the stream, raised to the tenant's floor if the tenant was deleted.
     * No row of the tenant below these offsets may ever be committed again. Reads the catalog at each call; never
     * cached.
     */
    TableOffsets read(String tenantId, String stream);

    /**
     * Raises the floors of a deleted tenant. The caller must know that the tenant has no row between a floor and the
     * new offset. A partition without a floor gets none, so a catalog without deleted tenants need not do anything.
     */
    default void raiseFloors(String tenantId, String stream, TableOffsets offsets) {}
}
