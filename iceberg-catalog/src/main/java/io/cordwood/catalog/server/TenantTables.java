package io.cordwood.catalog.server;

import io.cordwood.catalog.TableOffsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;

/** The tables of a tenant that is deleted. Thread-safe. */
final class TenantTables {
    private final Database database;
    private final JdbcCatalog catalog;
    private final TableLocks locks;
    private final UsageRollUp usage;

    TenantTables(Database database, JdbcCatalog catalog, TableLocks locks, UsageRollUp usage) {
        this.database = database;
        this.catalog = catalog;
        this.locks = locks;
        this.usage = usage;
    }

    /** Where the objects of the tables are that there are now. */
    List<String> locations(Namespace namespace) {
        List<String> locations = new ArrayList<>();
        for (TableIdentifier table : identifiers(namespace)) {
            location(table).ifPresent(locations::add);
        }
        return locations;
    }

    /** Drops the tables that a deletion knows, or that begin below its floors: made before them, unnoticed. */
    void drop(Namespace namespace, String tenantId) {
        Set<String> known =
                new HashSet<>(database.read(connection -> TenantDeletionStore.locations(connection, tenantId)));
        for (TableIdentifier table : identifiers(namespace)) {
            Optional<String> location = location(table);
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
            // The tenant never shipped a row, or this was done before.
            return;
        } catch (NamespaceNotEmptyException e) {
            // It ships again, from the floors on.
            return;
        }
    }

    private boolean beginsBelowFloor(TableIdentifier identifier, String tenantId) {
        TableOffsets floor = database.read(connection -> OffsetStore.floors(connection, identifier.name(), tenantId));
        return metadata(identifier)
                .map(table -> TableOffsets.fromProperties(table.properties()))
                .map(offsets -> !offsets.max(floor).equals(offsets))
                .orElse(false);
    }

    private List<TableIdentifier> identifiers(Namespace namespace) {
        try {
            return catalog.listTables(namespace);
        } catch (NoSuchNamespaceException e) {
            return List.of();
        }
    }

    /** Empty if the table has gone meanwhile. */
    private Optional<String> location(TableIdentifier identifier) {
        try {
            return metadata(identifier).map(TableMetadata::location);
        } catch (NotFoundException e) {
            return database.read(connection -> PointerStore.metadataLocation(connection, identifier))
                    .map(metadata -> metadata.replaceFirst("/metadata/[^/]*$", ""));
        }
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
