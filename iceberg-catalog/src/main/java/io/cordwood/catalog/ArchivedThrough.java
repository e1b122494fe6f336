package io.cordwood.catalog;

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
}
