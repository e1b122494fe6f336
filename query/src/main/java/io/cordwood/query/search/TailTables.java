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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables whose rows are followed, as the catalog describes them every few seconds: columns are added while rows
 * arrive. They are read beside the thread that follows, so that a slow catalog does not hold rows up. Thread-safe.
 */
final class TailTables {
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(2).toNanos();
    /** While the catalog service does not answer. */
    private static final long MAX_OLD_AGE_NANOS = Duration.ofMinutes(1).toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(TailTables.class);

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

    /** Tables by tenant, and why others could not be read. */
    record Read(Map<String, Followed> tables, Map<String, QueryException> failures) {}

    /** Reads the tables of tenants. */
    interface Reader {
        /** Reads them. @throws QueryException CATALOG_ERROR if the catalog service does not answer */
        Read read(Set<String> tenants);
    }

    private final String stream;
    private final Reader reader;
    private final LongSupplier nanoClock;
    private final AtomicReference<Map<String, Followed>> tables = new AtomicReference<>(Map.of());
    private final AtomicBoolean isReading = new AtomicBoolean();
    /** When all tables were last read, and when that was last tried. */
    private volatile long readNanos;

    private volatile long triedNanos;
    private volatile Optional<RuntimeException> failure = Optional.empty();

    TailTables(QueryCatalog catalog, String stream) {
        this(stream, tenants -> read(catalog, stream, tenants), System::nanoTime);
    }

    TailTables(String stream, Reader reader, LongSupplier nanoClock) {
        this.stream = stream;
        this.reader = reader;
        this.nanoClock = nanoClock;
        readNanos = nanoClock.getAsLong();
        triedNanos = readNanos;
    }

    private static Read read(QueryCatalog catalog, String stream, Set<String> tenants) {
        Pointers pointers = catalog.pointers(stream, tenants);
        Map<String, Followed> read = new HashMap<>();
        Map<String, QueryException> failures = new HashMap<>();
        for (String tenant : tenants) {
            try {
                TableVersion version = pointers.table(tenant)
                        .map(pointer -> catalog.load(stream, pointer))
                        .orElseGet(() -> TableVersion.withoutTable(tenant, stream));
                read.put(tenant, Followed.of(version, pointers.floors().getOrDefault(tenant, TableOffsets.NONE)));
            } catch (QueryException e) {
                failures.put(tenant, e);
            }
        }
        return new Read(read, failures);
    }

    /**
     * Reads the table of a tenant that is about to be followed, unless it was read within the last seconds. Waits for
     * the catalog service.
     *
     * @throws QueryException if it cannot be read
     */
    void require(String tenantId) {
        if (!tables.get().containsKey(tenantId) || nanoClock.getAsLong() - readNanos > MAX_AGE_NANOS) {
            add(Set.of(tenantId));
        }
    }

    private void add(Set<String> tenants) {
        Read read = reader.read(tenants);
        for (QueryException cause : read.failures().values()) {
            throw cause;
        }
        tables.updateAndGet(now -> {
            Map<String, Followed> more = new HashMap<>(now);
            more.putAll(read.tables());
            return Map.copyOf(more);
        });
        failure = Optional.empty();
    }

    /**
     * The tables of these tenants, which are followed. Has all of them read again, for later calls, if they are too
     * old. One that cannot be read stays as it was.
     *
     * @throws QueryException CATALOG_ERROR if the catalog service has not answered for some time
     */
    Map<String, Followed> current(Set<String> tenants) {
        Map<String, Followed> now = tables.get();
        if (!now.keySet().containsAll(tenants)) {
            // Forgotten between `require` and its tail
            Set<String> missing = new HashSet<>(tenants);
            missing.removeAll(now.keySet());
            add(missing);
            now = tables.get();
        }
        long age = nanoClock.getAsLong() - readNanos;
        if (age > MAX_AGE_NANOS) {
            readAgain(tenants, now);
        }
        Optional<RuntimeException> why = failure;
        if (age > MAX_OLD_AGE_NANOS && why.isPresent()) {
            throw why.get();
        }
        return now;
    }

    private void readAgain(Set<String> tenants, Map<String, Followed> before) {
        if (nanoClock.getAsLong() - triedNanos > MAX_AGE_NANOS && isReading.compareAndSet(false, true)) {
            triedNanos = nanoClock.getAsLong();
            Thread.ofVirtual().name("tail-tables-" + stream).start(() -> {
                try {
                    replace(tenants, before);
                } finally {
                    isReading.set(false);
                }
            });
        }
    }

    /** Replaces the tables, but for those that were added meanwhile, and forgets those that nobody follows any more. */
    @SuppressWarnings("CatchingUnchecked") // the next round tries again after any failure
    private void replace(Set<String> tenants, Map<String, Followed> before) {
        long began = nanoClock.getAsLong();
        try {
            Read read = reader.read(tenants);
            read.failures()
                    .forEach((tenant, cause) ->
                            LOG.warn("Columns of stream '{}' of tenant '{}' stay as they were", stream, tenant, cause));
            tables.updateAndGet(now -> {
                Map<String, Followed> current = new HashMap<>(read.tables());
                now.forEach((tenant, table) -> {
                    if (read.failures().containsKey(tenant) || !table.equals(before.get(tenant))) {
                        current.put(tenant, table);
                    }
                });
                return Map.copyOf(current);
            });
            failure = Optional.empty();
            readNanos = began;
        } catch (RuntimeException e) {
            LOG.debug("The tables of stream '{}' stay as they were", stream, e);
            failure = Optional.of(e);
        }
    }

    /** A tenant as if it had no table yet. */
    Followed withoutTable(String tenantId) {
        return Followed.of(TableVersion.withoutTable(tenantId, stream), TableOffsets.NONE);
    }
}
