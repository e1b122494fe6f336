package io.cordwood.catalog.server.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.FileIO;

/**
 * Objects in the warehouse that tell which tenants were deleted, and below which offsets. The database says so too, but
 * a database restored from an older backup does not, and the tenants would come back from Kafka. Thread-safe.
 */
public final class TenantTombstones {
    private final RecoveryObjects objects;

    /**
     * What is left of a tenant.
     *
     * @param deletion its deletion, with the locations of its tables
     * @param floors by stream, offsets below which its rows are deleted
     */
    public record Tombstone(TenantDeletion deletion, Map<String, TableOffsets> floors) {}

    public TenantTombstones(FileIO io, String warehouse) {
        objects = new RecoveryObjects(io, warehouse, "deleted-tenants");
    }

    /** Writes a tombstone; one of the same deletion is replaced. */
    public void put(Tombstone tombstone) {
        TenantDeletion deletion = tombstone.deletion();
        ObjectNode json = CatalogJson.toJson(deletion);
        json.set("floors", CatalogJson.offsetsByNameToJson(tombstone.floors()));
        objects.put("%s-%d".formatted(TenantNames.schemaName(deletion.tenantId()), deletion.startedMillis()), json);
    }

    /** All tombstones in the order of the deletions. */
    public List<Tombstone> all() {
        return objects
                .all(json -> new Tombstone(CatalogJson.deletion(json), CatalogJson.offsetsByName(json.path("floors"))))
                .values()
                .stream()
                .sorted(Comparator.comparing(tombstone -> tombstone.deletion().startedMillis()))
                .toList();
    }
}
