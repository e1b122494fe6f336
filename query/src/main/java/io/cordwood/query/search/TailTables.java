package io.cordwood.query.search;

import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotTable;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables whose rows are followed, as the catalog describes them every few seconds: columns are added while rows
 * arrive. Not thread-safe.
 */
final class TailTables {
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(2).toNanos();
    /** While the catalog service does not answer. */
    private static final long MAX_OLD_AGE_NANOS = Duration.ofMinutes(1).toNanos();

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

    private static final Logger LOG = LoggerFactory.getLogger(TailTables.class);

    private final QueryCatalog catalog;
    private final String stream;
    private Map<String, Followed> tables = Map.of();
    private long loaded = System.nanoTime();

    TailTables(QueryCatalog catalog, String stream) {
        this.catalog = catalog;
        this.stream = stream;
    }

    /**
     * Reads the tables again if they are too old, or some are missing. A table that cannot be read is missing, or stays
     * as it was.
     *
     * @throws QueryException CATALOG_ERROR if the catalog service does not answer, and did not for some time
     */
    void refresh(Set<String> tenants) {
        long age = System.nanoTime() - loaded;
        boolean isComplete = tables.keySet().containsAll(tenants);
        if (isComplete && age < MAX_AGE_NANOS) {
            return;
        }
        try {
            load(tenants);
        } catch (QueryException e) {
            if (!isComplete || age > MAX_OLD_AGE_NANOS) {
                throw e;
            }
            LOG.debug("The tables of stream '{}' stay as they were", stream, e);
        }
    }

    private void load(Set<String> tenants) {
        Pointers pointers = catalog.pointers(stream, tenants);
        Map<String, Followed> current = new HashMap<>();
        for (String tenant : tenants) {
            try {
                TableVersion version = pointers.table(tenant)
                        .map(pointer -> catalog.load(stream, pointer))
                        .orElseGet(() -> TableVersion.withoutTable(tenant, stream));
                current.put(tenant, Followed.of(version, pointers.floors().getOrDefault(tenant, TableOffsets.NONE)));
            } catch (QueryException e) {
                LOG.warn("Rows of stream '{}' of tenant '{}' cannot be followed", stream, tenant, e);
                find(tenant).ifPresent(before -> current.put(tenant, before));
            }
        }
        tables = Map.copyOf(current);
        loaded = System.nanoTime();
    }

    /** The table of a tenant, if its rows are followed. */
    Optional<Followed> find(String tenantId) {
        return Optional.ofNullable(tables.get(tenantId));
    }
}
