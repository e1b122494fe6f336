package io.cordwood.catalog.protocol;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pointers to tables of one stream, with the archived-through offsets of the stream's partitions. Both come from one
 * consistent read of the catalog's database, archived-through first. Immutable.
 *
 * <p>Never cache it: it decides which rows are read from Kafka. The metadata files at the pointers never change.
 *
 * @param archivedThrough archived-through offset by partition
 * @param tables existing tables, ordered by tenant id; tenants without a table are absent
 * @param floors for each deleted tenant, offsets below which its rows must be ignored
 */
public record Pointers(
        Map<PartitionId, Long> archivedThrough, List<TablePointer> tables, Map<String, TableOffsets> floors) {
    public Pointers {
        archivedThrough = Map.copyOf(archivedThrough);
        tables = List.copyOf(tables);
        floors = Map.copyOf(floors);
    }

    /**
     * A pointer to a table's current metadata.
     *
     * @param tenantId the tenant
     * @param namespace the tenant's schema name
     * @param metadataLocation URI of the current metadata file
     */
    public record TablePointer(String tenantId, String namespace, String metadataLocation) {}

    /** The pointer to this tenant's table; empty if it has none. */
    public Optional<TablePointer> table(String tenantId) {
        return tables.stream()
                .filter(table -> table.tenantId().equals(tenantId))
                .findFirst();
    }
}
