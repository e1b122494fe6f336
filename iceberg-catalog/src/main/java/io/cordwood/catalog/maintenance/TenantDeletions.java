package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.tenant.TenantDeletion;
import java.util.Optional;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Carries deletions of tenants to their end: drops the tables that are left, deletes their objects and tells the
 * registry. Whatever of it was interrupted is done again. Thread-safe.
 */
public final class TenantDeletions {
    private final CatalogClient catalog;

    /** Deletes tenants of this catalog. */
    public TenantDeletions(CatalogClient catalog) {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /**
     * Goes on with a deletion.
     *
     * @return the deletion as it is then; empty if it is over, which it is a day after it began at the earliest
     * @throws CatalogException if the catalog does not answer
     * @throws RuntimeException if objects cannot be deleted
     */
    public Optional<TenantDeletion> goOn(TenantDeletion deletion) {
        Optional<TenantDeletion> dropped = catalog.continueDeletion(deletion, false);
        if (dropped.isEmpty()) {
            return dropped;
        }
        dropped.get().locations().forEach(this::deleteObjects);
        return catalog.continueDeletion(dropped.get(), true);
    }

    /** A table made anew lies beside these directories. */
    private void deleteObjects(String location) {
        FileIO io = catalog.io();
        if (!(io instanceof SupportsPrefixOperations store)) {
            throw new CatalogException(
                    "Cannot delete the objects under %s: %s does not list objects"
                            .formatted(location, io.getClass().getName()),
                    null);
        }
        store.deletePrefix(location + "/data/");
        store.deletePrefix(location + "/metadata/");
    }
}
