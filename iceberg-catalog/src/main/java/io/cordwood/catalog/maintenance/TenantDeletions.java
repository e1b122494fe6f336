package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.tenant.TenantDeletion;
import java.util.Optional;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Completes deletions of tenants: drops the remaining tables, deletes their objects and informs the registry. Repeats
 * any interrupted step. Thread-safe.
 */
public final class TenantDeletions {
    private final CatalogClient catalog;

    /** Creates a runner of deletions for this catalog. */
    public TenantDeletions(CatalogClient catalog) {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /**
     * Continues a deletion.
     *
     * @return the deletion afterwards; empty if it is over, at the earliest a day after its start
     * @throws CatalogException if the catalog does not answer
     * @throws RuntimeException if objects cannot be deleted
     */
    public Optional<TenantDeletion> resume(TenantDeletion deletion) {
        Optional<TenantDeletion> dropped = catalog.continueDeletion(deletion, false);
        if (dropped.isEmpty()) {
            return dropped;
        }
        dropped.get().locations().forEach(this::deleteObjects);
        return catalog.continueDeletion(dropped.get(), true);
    }

    /** Deletes the directory of a table; a recreated table has another directory. */
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
