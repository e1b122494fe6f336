package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.TableOffsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.TableOperations;

/** Access to tables for a committer. Thread-safe. */
public interface CommitTables {
    /**
     * A table and its settled offsets.
     *
     * @param settled offsets that {@link ArchivedThrough} knows as settled; read before the table
     * @param operations operations of the current table; empty if there is none
     */
    record Found(TableOffsets settled, Optional<TableOperations> operations) {}

    /** Finds the table; never uses a cache. */
    Found find(String tenantId, String stream);

    /**
     * Finds several tables at once, if that costs less than one by one; never uses a cache.
     *
     * @return by tenant id, what was found; any of them may be left out
     */
    Map<String, Found> findAll(String stream, Set<String> tenantIds);

    /** Raises the floors of a deleted tenant, as {@link ArchivedThrough} does. */
    void raiseFloors(String tenantId, String stream, TableOffsets offsets);
}
