package io.cordwood.catalog.server.table;

import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.TenantDeletionStore;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;

/** The tables of a tenant that is being deleted. Thread-safe. */
public final class TenantTables {
    private final Database database;
    private final JdbcCatalog catalog;
    private final TableLocks locks;
    private final UsageRollUp usage;

    public TenantTables(Database database, JdbcCatalog catalog, TableLocks locks, UsageRollUp usage) {
        this.database = database;
        this.catalog = catalog;
        this.locks = locks;
        this.usage = usage;
    }

    /**
     * Existing tables at one point in time.
     *
     * @param metadataLocations their metadata files
     * @param locations directories of their objects
     */
    public record Present(Map<TableIdentifier, String> metadataLocations, List<String> locations) {}

    /**
     * The existing tables, after their usage was added up.
     *
     * @param floors by stream, offsets below which rows will be deleted
     * @throws CommitFailedException if a table may have rows from above the floors
     */
    public Present present(Namespace namespace, String tenantId, Map<String, TableOffsets> floors) {
        Map<TableIdentifier, String> metadataLocations = new LinkedHashMap<>();
        List<String> locations = new ArrayList<>();
        for (TableIdentifier table : identifiers(namespace)) {
            Optional<String> pointer = database.read(connection -> PointerStore.metadataLocation(connection, table));
            if (pointer.isPresent()) {
                requireBelow(floors.getOrDefault(table.name(), TableOffsets.NONE), table, tenantId);
                usage.settle(table);
                metadataLocations.put(table, pointer.get());
                locations.add(location(table, pointer.get()));
            }
        }
        return new Present(metadataLocations, locations);
    }

    /**
     * Deletes a tenant in one transaction, as far as the database has it: drops the tables, stores the floors, revokes
     * the tokens, and records the deletion of the objects.
     *
     * @param floors by stream, offsets below which its rows are deleted
     * @param present its tables; the transaction fails if one has changed since
     * @param startedMillis when the deletion began
     */
    public static void delete(
            Connection connection,
            Revocations revocations,
            String tenantId,
            Map<String, TableOffsets> floors,
            Present present,
            long startedMillis)
            throws SQLException {
        revocations.ofTenant(connection, tenantId, revocations.begin(connection));
        for (Map.Entry<String, TableOffsets> floor : floors.entrySet()) {
            OffsetStore.raiseFloors(connection, floor.getKey(), tenantId, floor.getValue());
            OffsetStore.requestFlushes(connection, floor.getKey(), tenantId, floor.getValue());
        }
        for (Map.Entry<TableIdentifier, String> table :
                present.metadataLocations().entrySet()) {
            PointerStore.drop(connection, table.getKey(), table.getValue());
        }
        TenantDeletionStore.begin(connection, tenantId, TenantNames.schemaName(tenantId), startedMillis);
        TenantDeletionStore.addLocations(connection, tenantId, present.locations());
        TenantStore.delete(connection, tenantId);
    }

    /** Checks partitions with a floor; topics without a floor get no more records. */
    private void requireBelow(TableOffsets floors, TableIdentifier identifier, String tenantId) {
        TableOffsets all = offsets(identifier);
        Set<String> ended = new HashSet<>(all.topicIds());
        ended.removeAll(floors.topicIds());
        TableOffsets offsets = all.withoutTopics(ended);
        if (!floors.max(offsets).equals(floors)) {
            throw new CommitFailedException(
                    "Table %s has rows of tenant '%s' from above the given log ends, up to %s. Read the ends again",
                    identifier, tenantId, offsets);
        }
    }

    /**
     * Drops the tables of a deletion, and those that begin below its floors: they were created before it, unnoticed.
     */
    public void drop(Namespace namespace, String tenantId) {
        Set<String> known =
                new HashSet<>(database.read(connection -> TenantDeletionStore.locations(connection, tenantId)));
        for (TableIdentifier table : identifiers(namespace)) {
            Optional<String> location = database.read(connection -> PointerStore.metadataLocation(connection, table))
                    .map(pointer -> location(table, pointer));
            if (location.isPresent() && (known.contains(location.get()) || beginsBelowFloor(table, tenantId))) {
                database.write(connection -> {
                    TenantDeletionStore.addLocations(connection, tenantId, List.of(location.get()));
                    return null;
                });
                locks.locked(table, () -> {
                    usage.settle(table);
                    return catalog.dropTable(table, false);
                });
            }
        }
        try {
            catalog.dropNamespace(namespace);
        } catch (NoSuchNamespaceException e) {
            // The tenant never shipped a row, or the step is repeated.
            return;
        } catch (NamespaceNotEmptyException e) {
            // The tenant ships again, from the floors on.
            return;
        }
    }

    private boolean beginsBelowFloor(TableIdentifier identifier, String tenantId) {
        TableOffsets floor = database.read(connection -> OffsetStore.floors(connection, identifier.name(), tenantId));
        TableOffsets offsets = offsets(identifier);
        return !offsets.max(floor).equals(offsets);
    }

    /** The offsets of a table; none if the table or its metadata file is gone. */
    private TableOffsets offsets(TableIdentifier identifier) {
        try {
            return metadata(identifier)
                    .map(table -> TableOffsets.fromProperties(table.properties()))
                    .orElse(TableOffsets.NONE);
        } catch (NotFoundException e) {
            return TableOffsets.NONE;
        }
    }

    private List<TableIdentifier> identifiers(Namespace namespace) {
        try {
            return catalog.listTables(namespace);
        } catch (NoSuchNamespaceException e) {
            return List.of();
        }
    }

    /** Directory of a table's objects; also if its metadata file is gone. */
    private String location(TableIdentifier identifier, String metadataLocation) {
        Optional<String> location;
        try {
            location = metadata(identifier).map(TableMetadata::location);
        } catch (NotFoundException e) {
            location = Optional.empty();
        }
        return location.orElseGet(() -> metadataLocation.replaceFirst("/metadata/[^/]*$", ""));
    }

    private Optional<TableMetadata> metadata(TableIdentifier identifier) {
        try {
            return Optional.of(
                    ((BaseTable) catalog.loadTable(identifier)).operations().current());
        } catch (NoSuchTableException e) {
            return Optional.empty();
        }
    }
}
