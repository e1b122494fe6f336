package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.TableOffsets;
import java.util.Optional;
import org.apache.iceberg.TableOperations;

/** Where a committer finds tables. Thread-safe. */
public interface CommitTables {
    /**
     * A table as a committer needs it.
     *
     * @param settled what is settled without looking into the table, as {@link ArchivedThrough} says; read before the
     *     table
     * @param operations of the table as it is now; empty if there is none
     */
    record Found(TableOffsets settled, Optional<TableOperations> operations) {}

    /** Looks for the table, never in a cache. */
    Found find(String tenantId, String stream);

    /** Raises the floors of a deleted tenant, as {@link ArchivedThrough} does. */
    void raiseFloors(String tenantId, String stream, TableOffsets offsets);
}
