package io.cordwood.catalog.protocol;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where tables of one stream stand, and W of the stream's partitions, from one consistent read of the catalog's
 * database, W read first. Immutable.
 *
 * <p>Never cache it: it decides which rows are read from Kafka. The metadata files it points to never change.
 *
 * @param archivedThrough W by partition
 * @param tables the tables there are, ordered by tenant id; a tenant without a table is not among them
 * @param floors for each tenant that was deleted: the offsets below which its rows are to be ignored
 */
public record Pointers(
        Map<PartitionId, Long> archivedThrough, List<TablePointer> tables, Map<String, TableOffsets> floors) {
    public Pointers {
        archivedThrough = Map.copyOf(archivedThrough);
        tables = List.copyOf(tables);
        floors = Map.copyOf(floors);
    }

    /**
     * Where one table stands.
     *
     * @param tenantId the tenant
     * @param namespace the tenant's schema name
     * @param metadataLocation URI of the current metadata file
     */
    public record TablePointer(String tenantId, String namespace, String metadataLocation) {}

    /** The table of this tenant, if it has one. */
    public Optional<TablePointer> table(String tenantId) {
        return tables.stream()
                .filter(table -> table.tenantId().equals(tenantId))
                .findFirst();
    }
}
