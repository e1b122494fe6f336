package io.cordwood.query.search;

import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotTable;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables whose rows are followed, as the catalog describes them every few seconds: columns are added while rows
 * arrive. Not thread-safe.
 */
final class TailTables {
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(2).toNanos();

    /** A table, and how its rows are read. */
    record Followed(HotTable table, TableBinding binding, List<QueryColumn> columns) {
        static Followed of(TableVersion version, TableOffsets floor) {
            return new Followed(
                    // Rows that the table already has are shown too; rows of a deleted tenant are not
                    new HotTable(
                            version.tenantId(),
                            version.schemaVersion(),
                            version.columns().schema(),
                            floor),
                    ScanBindings.ofTenant(ScanBindings.HOT).bind(version),
                    version.columns().columns().values().stream()
                            .filter(column -> !column.isHidden() && !column.equals(QueryColumn.TENANT_ID))
                            .toList());
        }
    }

    private final QueryCatalog catalog;
    private final String stream;
    private Map<String, Followed> tables = Map.of();
    private long loaded;

    TailTables(QueryCatalog catalog, String stream) {
        this.catalog = catalog;
        this.stream = stream;
    }

    /**
     * Reads the tables again if they are too old, or some are missing.
     *
     * @throws io.cordwood.query.error.QueryException if the catalog does not answer, and some are missing
     */
    void refresh(Set<String> tenants) {
        boolean isComplete = tables.keySet().containsAll(tenants);
        if (isComplete && System.nanoTime() - loaded < MAX_AGE_NANOS) {
            return;
        }
        Pointers pointers = catalog.pointers(stream, tenants);
        Map<String, Followed> current = new HashMap<>();
        for (String tenant : tenants) {
            TableVersion version = pointers.table(tenant)
                    .map(pointer -> catalog.load(stream, pointer))
                    .orElseGet(() -> TableVersion.withoutTable(tenant, stream));
            current.put(tenant, Followed.of(version, pointers.floors().getOrDefault(tenant, TableOffsets.NONE)));
        }
        tables = Map.copyOf(current);
        loaded = System.nanoTime();
    }

    /** The table of a tenant, if its rows are followed. */
    Optional<Followed> find(String tenantId) {
        return Optional.ofNullable(tables.get(tenantId));
    }
}
