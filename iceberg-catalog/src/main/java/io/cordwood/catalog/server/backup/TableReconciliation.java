package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.backup.WarehouseTables.Found;
import io.cordwood.catalog.server.backup.WarehouseTables.Metadata;
import io.cordwood.catalog.server.backup.WarehouseTables.Place;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.StoredPointer;
import io.cordwood.catalog.server.store.TenantDeletionStore;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.table.TenantTables;
import io.cordwood.catalog.server.table.TenantTombstones;
import io.cordwood.catalog.server.table.TenantTombstones.Tombstone;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Brings a restored database up to date with the warehouse. Tables carry their offsets, so each of them is as exact as
 * before once its pointer is at its newest metadata file. Not thread-safe.
 *
 * <ol>
 *   <li>Tenants that were deleted after the backup are deleted again, by their {@linkplain TenantTombstones
 *   tombstones}.
 *   <li>Each table of the backup is pointed to its newest metadata file.
 *   <li>Tables that were created after the backup are registered, with their tenants.
 * </ol>
 *
 * <p>The warehouse is read before the transaction, many objects at a time.
 */
final class TableReconciliation {
    /** By less than this, clocks of several machines differ. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

    private static final int THREADS = 32;
    /** Of two places of one table, one may be that of a creation that lost a race: it was never committed to. */
    private static final Comparator<Metadata> LATER =
            Comparator.comparing((Metadata table) -> !isUnused(table)).thenComparing(Metadata::updated);

    private final Map<StoredPointer, Found> known = new LinkedHashMap<>();
    private final Map<Place, Found> unknown = new LinkedHashMap<>();
    private final List<Tombstone> tombstones;
    private final Instant since;
    private final Instant backupTime;

    private TableReconciliation(List<Tombstone> tombstones, Instant backupTime) {
        this.tombstones = tombstones;
        this.backupTime = backupTime;
        this.since = backupTime.minus(CLOCK_SKEW);
    }

    /**
     * Reads the warehouse.
     *
     * @param pointers the tables of the backup
     * @throws RuntimeException if the store does not answer
     */
    static TableReconciliation read(
            WarehouseFileIO io, String warehouse, List<StoredPointer> pointers, Instant backupTime) {
        WarehouseTables tables = new WarehouseTables(io, warehouse);
        TableReconciliation read = new TableReconciliation(new TenantTombstones(io, warehouse).all(), backupTime);
        try (ExecutorService threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().factory())) {
            read.known.putAll(
                    each(threads, pointers, pointer -> tables.newerThan(pointer.metadataLocation(), read.since)));
            Set<String> directories = new HashSet<>();
            pointers.forEach(pointer -> directories.add(directory(pointer.metadataLocation())));
            List<Place> places = each(threads, tables.namespaces(), tables::places).values().stream()
                    .flatMap(List::stream)
                    .filter(place -> !directories.contains(place.metadataDirectory()))
                    .toList();
            read.unknown.putAll(each(threads, places, tables::in));
        }
        return read;
    }

    /** What is older than the backup and not in it was dropped before it. */
    private boolean isNewerThanBackup(Place place, Metadata newest) {
        return place.createdMillis().orElse(Long.MIN_VALUE) >= since.toEpochMilli()
                || !newest.updated().isBefore(since);
    }

    private static <T, R> Map<T, R> each(ExecutorService threads, List<T> items, Function<T, R> work) {
        Map<T, Future<R>> futures = new LinkedHashMap<>();
        items.forEach(item -> futures.put(item, threads.submit(() -> work.apply(item))));
        Map<T, R> results = new LinkedHashMap<>();
        try {
            for (Map.Entry<T, Future<R>> future : futures.entrySet()) {
                results.put(future.getKey(), future.getValue().get());
            }
            return results;
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
            throw new BackupException("interrupted", e);
        } catch (ExecutionException e) {
            threads.shutdownNow();
            throw new BackupException(
                    "cannot read the warehouse: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private static String directory(String metadataLocation) {
        return metadataLocation.substring(0, metadataLocation.lastIndexOf('/'));
    }

    /**
     * Applies what was read to the restored database. Of a table whose metadata file is lost, takes the newest that is
     * left; without one, drops the table: it would hold back archived-through of all tenants.
     */
    void apply(Connection connection, Revocations revocations, Consumer<Finding> findings) throws SQLException {
        for (Tombstone tombstone : tombstones) {
            if (!isKnown(connection, tombstone)) {
                deleteAgain(connection, revocations, tombstone, findings);
            }
        }
        for (StoredPointer pointer : PointerStore.all(connection)) {
            advance(connection, pointer, known.get(pointer), findings);
        }
        addUnknown(connection, findings);
    }

    /** Whether the deletion was before the backup. Its floors tell, which never fall. */
    private boolean isKnown(Connection connection, Tombstone tombstone) throws SQLException {
        Optional<TenantDeletion> known = TenantDeletionStore.ofSchema(
                connection, TenantNames.schemaName(tombstone.deletion().tenantId()));
        if (known.isPresent()
                && known.get().startedMillis() >= tombstone.deletion().startedMillis()) {
            return true;
        }
        for (Map.Entry<String, TableOffsets> floor : tombstone.floors().entrySet()) {
            TableOffsets floors = OffsetStore.floors(
                    connection, floor.getKey(), tombstone.deletion().tenantId());
            if (!floors.max(floor.getValue()).equals(floors)) {
                return false;
            }
        }
        return tombstone.floors().values().stream().anyMatch(floors -> !floors.isEmpty())
                || tombstone.deletion().startedMillis() < backupTime.toEpochMilli();
    }

    /** Every table of the backup is older than the deletion; what came after it is registered later. */
    private static void deleteAgain(
            Connection connection, Revocations revocations, Tombstone tombstone, Consumer<Finding> findings)
            throws SQLException {
        TenantDeletion deletion = tombstone.deletion();
        Namespace namespace = Namespace.of(TenantNames.schemaName(deletion.tenantId()));
        Map<TableIdentifier, String> tables = new LinkedHashMap<>();
        Set<String> locations = new HashSet<>(deletion.locations());
        for (StoredPointer table : PointerStore.of(connection, namespace)) {
            tables.put(table.identifier(), table.metadataLocation());
            locations.add(directory(directory(table.metadataLocation())));
        }
        TenantTables.delete(
                connection,
                revocations,
                deletion.tenantId(),
                tombstone.floors(),
                new TenantTables.Present(tables, List.copyOf(locations)),
                deletion.startedMillis());
        findings.accept(Finding.done(
                "tenant " + deletion.tenantId(),
                "deleted again: it was deleted at %s, after the backup"
                        .formatted(Instant.ofEpochMilli(deletion.startedMillis()))));
    }

    private static void advance(Connection connection, StoredPointer table, Found found, Consumer<Finding> findings)
            throws SQLException {
        String name = table.identifier().toString();
        found.note().ifPresent(note -> findings.accept(Finding.done(name, note)));
        found.problem().ifPresent(problem -> findings.accept(Finding.problem(name, problem)));
        if (found.newest().isPresent()) {
            Metadata newest = found.newest().get();
            require(
                    PointerStore.move(connection, table.identifier(), table.metadataLocation(), newest.location()),
                    name);
            findings.accept(Finding.done(
                    name,
                    "%d commits after the backup, the last at %s"
                            .formatted(
                                    newest.version()
                                            - WarehouseTables.version(table.metadataLocation())
                                                    .orElse(0),
                                    newest.updated())));
        } else if (!found.hasPointer()) {
            findings.accept(Finding.problem(
                    name,
                    "its metadata file %s is lost%s"
                            .formatted(
                                    table.metadataLocation(),
                                    found.present()
                                            .map(present -> "; the newest that is left is " + present)
                                            .orElse(" and there is no other"))));
            if (found.present().isPresent()) {
                require(
                        PointerStore.move(
                                connection,
                                table.identifier(),
                                table.metadataLocation(),
                                found.present().get()),
                        name);
            } else {
                PointerStore.drop(connection, table.identifier(), table.metadataLocation());
            }
        }
    }

    private static void require(boolean changed, String table) {
        if (!changed) {
            throw new BackupException(
                    "table %s changed while it was restored: stop all catalog services".formatted(table));
        }
    }

    /** Registers tables that the database does not have, and were created after the backup. */
    private void addUnknown(Connection connection, Consumer<Finding> findings) throws SQLException {
        Map<TableIdentifier, String> pointers = new HashMap<>();
        PointerStore.all(connection).forEach(table -> pointers.put(table.identifier(), table.metadataLocation()));
        Map<TableIdentifier, Metadata> newest = new LinkedHashMap<>();
        for (Map.Entry<Place, Found> entry : unknown.entrySet()) {
            Place place = entry.getKey();
            Found found = entry.getValue();
            found.problem()
                    .ifPresent(problem ->
                            findings.accept(Finding.problem(place.identifier().toString(), problem)));
            if (found.newest().isPresent()
                    && isNewerThanBackup(place, found.newest().get())
                    && isNewerThan(
                            pointers.get(place.identifier()),
                            place,
                            found.newest().get())
                    && !isDeleted(connection, place, found.newest().get())) {
                newest.merge(place.identifier(), found.newest().get(), BinaryOperator.maxBy(LATER));
            }
        }
        for (Map.Entry<TableIdentifier, Metadata> table : newest.entrySet()) {
            add(
                    connection,
                    table.getKey(),
                    table.getValue(),
                    Optional.ofNullable(pointers.get(table.getKey())),
                    findings);
        }
    }

    /**
     * Whether a table was created under the name of one in the backup after that was dropped. Not one that was dropped
     * just before the backup, nor one that another service had just created in vain.
     *
     * @param pointer metadata file of the table in the backup; null if there is none
     */
    private boolean isNewerThan(String pointer, Place place, Metadata newest) {
        if (pointer == null) {
            return true;
        }
        OptionalLong known = new Place(place.identifier(), directory(pointer)).createdMillis();
        boolean isCreatedLater = place.createdMillis().isPresent()
                ? place.createdMillis().getAsLong() > known.orElse(Long.MIN_VALUE)
                : newest.updated().isAfter(backupTime);
        return isCreatedLater && !isUnused(newest);
    }

    private static boolean isUnused(Metadata table) {
        return table.version() == 0 && !table.hasSnapshot();
    }

    /** Whether the tenant was deleted with this table. One that was created later has at least the floors. */
    private static boolean isDeleted(Connection connection, Place place, Metadata newest) throws SQLException {
        Optional<TenantDeletion> deletion = TenantDeletionStore.ofSchema(
                connection, place.identifier().namespace().toString());
        if (deletion.isEmpty()) {
            return false;
        }
        TableOffsets floors = OffsetStore.floors(
                connection, place.identifier().name(), deletion.get().tenantId());
        return deletion.get().locations().stream()
                        .anyMatch(location -> place.metadataDirectory().startsWith(location + "/"))
                || !newest.offsets().max(floors).equals(newest.offsets());
    }

    private static void add(
            Connection connection,
            TableIdentifier identifier,
            Metadata newest,
            Optional<String> pointer,
            Consumer<Finding> findings)
            throws SQLException {
        String name = identifier.toString();
        Optional<String> tenant = TenantNames.tenantId(identifier.namespace().toString())
                // The id behind a hashed name is in the table's usage
                .or(() -> newest.tenant()
                        .filter(id -> TenantNames.table(id, identifier.name()).equals(identifier)));
        if (tenant.isEmpty()) {
            findings.accept(Finding.problem(
                    name, "not in the backup, and nothing tells its tenant's id: left out. See " + newest.location()));
            return;
        }
        if (pointer.isPresent()) {
            require(PointerStore.move(connection, identifier, pointer.get(), newest.location()), name);
        } else {
            PointerStore.createNamespace(connection, identifier.namespace());
            require(PointerStore.create(connection, identifier, newest.location()), name);
        }
        TenantStore.register(connection, tenant.get());
        findings.accept(Finding.done(
                name,
                "created %safter the backup, with %d commits, the last at %s"
                        .formatted(pointer.isPresent() ? "anew " : "", newest.version() + 1, newest.updated())));
    }
}
