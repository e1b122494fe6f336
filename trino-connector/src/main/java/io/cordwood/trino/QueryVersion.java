package io.cordwood.trino;

import io.cordwood.catalog.Pointers;
import io.cordwood.catalog.Pointers.TablePointer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one transaction sees: for each table the metadata pointer that was current when the transaction first asked.
 * Thread-safe.
 *
 * <p>The order is that of the offsets protocol: archived-through W, then the pointers (one call gives both), and the end
 * offsets of the partitions later, when splits are planned. A pointer that is read after another one's W is no older
 * than it, so all tables of a query hold at least the rows below every W that was read.
 */
final class QueryVersion {
    private record TableKey(String tenantId, String stream) {}

    private final CordwoodCatalog catalog;
    private final Map<TableKey, Optional<TableVersion>> tables = new HashMap<>();
    private final Map<String, List<TableVersion>> streams = new HashMap<>();

    QueryVersion(CordwoodCatalog catalog) {
        this.catalog = catalog;
    }

    /** The table of a tenant; empty if there is no such tenant or stream. */
    synchronized Optional<TableVersion> table(String tenantId, String stream) {
        TableKey key = new TableKey(tenantId, stream);
        Optional<TableVersion> known = tables.get(key);
        if (known == null) {
            known = streams.getOrDefault(stream, List.of()).stream()
                    .filter(table -> table.tenantId().equals(tenantId))
                    .findFirst()
                    .or(() -> streams.containsKey(stream) ? withoutTable(tenantId, stream) : load(tenantId, stream));
            tables.put(key, known);
        }
        return known;
    }

    private Optional<TableVersion> load(String tenantId, String stream) {
        if (!catalog.streams().contains(stream)) {
            return Optional.empty();
        }
        Optional<TablePointer> pointer =
                catalog.pointers(stream, List.of(tenantId)).table(tenantId);
        if (pointer.isPresent()) {
            return pointer.map(found -> catalog.load(stream, found));
        }
        return withoutTable(tenantId, stream);
    }

    private Optional<TableVersion> withoutTable(String tenantId, String stream) {
        return catalog.tenantExists(tenantId)
                ? Optional.of(TableVersion.withoutTable(tenantId, stream))
                : Optional.empty();
    }

    /** The stream's tables of all tenants, ordered by tenant id. */
    synchronized List<TableVersion> tables(String stream) {
        List<TableVersion> known = streams.get(stream);
        if (known == null) {
            Pointers pointers = catalog.pointers(stream);
            known = catalog.loadAll(stream, pointers.tables()).stream()
                    .map(table -> tables.getOrDefault(new TableKey(table.tenantId(), stream), Optional.empty())
                            .orElse(table))
                    .toList();
            streams.put(stream, known);
        }
        return known;
    }
}
