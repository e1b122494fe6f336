package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.TableOffsets;

/**
 * What is known to be settled without looking into a table: archived-through W, and the floors of deleted tenants.
 * Thread-safe.
 */
@FunctionalInterface
public interface ArchivedThrough {
    /**
     * W of every partition of the stream, raised to the tenant's floor where the tenant was deleted: no row of the
     * tenant below these offsets is ever to be committed again. Read from the catalog at each call, never cached.
     */
    TableOffsets read(String tenantId, String stream);

    /**
     * Raises the floors of a deleted tenant: it has no row between a floor and the offset that it is raised to. A
     * partition without a floor gets none, so a catalog that knows no deleted tenants has nothing to do.
     */
    default void raiseFloors(String tenantId, String stream, TableOffsets offsets) {}
}
