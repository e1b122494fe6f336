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
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables whose rows are followed, as the catalog describes them every few seconds: columns are added while rows
 * arrive. Known tables are read again beside the thread that follows, so that a slow catalog does not hold rows up.
 * Used by one thread at a time.
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
    private final AtomicBoolean isLoading = new AtomicBoolean();
    private volatile Loaded loaded = new Loaded(Map.of(), Set.of(), System.nanoTime());

    /**
     * Tables by tenant, and when they were read.
     *
     * @param asked the tenants whose tables were to be read; some may be missing
     */
    private record Loaded(Map<String, Followed> tables, Set<String> asked, long nanoTime) {
        long age() {
            return System.nanoTime() - nanoTime;
        }
    }

    TailTables(QueryCatalog catalog, String stream) {
        this.catalog = catalog;
        this.stream = stream;
    }

    /**
     * Reads tables that are not known yet, so that the first rows do not wait for it.
     *
     * @throws QueryException CATALOG_ERROR if the catalog service does not answer
     */
    void prepare(Set<String> tenants) {
        if (!loaded.asked().containsAll(tenants)) {
            load(tenants);
        }
    }

    /**
     * The tables of these tenants. Those that are too old are read again, for later calls. A table that cannot be read
     * is missing, or as it was.
     *
     * @throws QueryException CATALOG_ERROR if the catalog service does not answer, and tables are missing, or it did
     *     not for some time
     */
    Map<String, Followed> current(Set<String> tenants) {
        Loaded now = loaded;
        if (!now.tables().keySet().containsAll(tenants) || now.age() > MAX_OLD_AGE_NANOS) {
            return load(tenants).tables();
        }
        if (now.age() > MAX_AGE_NANOS && isLoading.compareAndSet(false, true)) {
            Thread.ofVirtual().name("tail-tables-" + stream).start(() -> reload(tenants));
        }
        return now.tables();
    }

    /** A tenant as if it had no table yet. */
    Followed withoutTable(String tenantId) {
        return Followed.of(TableVersion.withoutTable(tenantId, stream), TableOffsets.NONE);
    }

    /** No failure may keep later calls from trying again. */
    @SuppressWarnings("CatchingUnchecked")
    private void reload(Set<String> tenants) {
        try {
            load(tenants);
        } catch (RuntimeException e) {
            LOG.debug("The tables of stream '{}' stay as they were", stream, e);
        } finally {
            isLoading.set(false);
        }
    }

    private Loaded load(Set<String> tenants) {
        Map<String, Followed> before = loaded.tables();
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
                Optional.ofNullable(before.get(tenant)).ifPresent(table -> current.put(tenant, table));
            }
        }
        Loaded now = new Loaded(Map.copyOf(current), Set.copyOf(tenants), System.nanoTime());
        loaded = now;
        return now;
    }
}
