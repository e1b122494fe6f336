package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.RevocationClock;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.catalog.server.table.ArchivedCopies;
import io.cordwood.catalog.server.table.OwnLocationCatalog;
import io.cordwood.catalog.table.TableOffsets;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;

/**
 * Restores a backup into a database, and brings it up to date with the warehouse, in one transaction. Immutable.
 *
 * @param jdbcUrl the database
 * @param warehouse location of the warehouse
 * @param properties how to reach the store
 * @param replace whether it replaces what the database holds
 * @param acceptLoss whether it goes on if metadata files of tables are lost or damaged
 * @param keepArchivedThrough whether archived-through stays as in the backup
 */
record Restoration(
        String jdbcUrl,
        String warehouse,
        Map<String, String> properties,
        boolean replace,
        boolean acceptLoss,
        boolean keepArchivedThrough) {
    /** Takes back what was restored. */
    private static final class LossException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Restores. Returns what the backup says of itself.
     *
     * @param backup local copy of the backup
     * @param location where it comes from, for errors
     * @param findings receives what has changed since the backup, also if that is why nothing is restored
     * @throws BackupException if nothing was restored, and the database is as before
     */
    DatabaseCopy.Manifest run(Path backup, String location, List<Finding> findings) throws IOException {
        try (ZipFile zip = DatabaseCopy.open(backup, location);
                Database database = Database.open(jdbcUrl);
                OwnLocationCatalog catalog = OwnLocationCatalog.open(jdbcUrl, warehouse, properties, database)) {
            DatabaseCopy.Manifest manifest = DatabaseCopy.manifest(zip, location);
            if (!manifest.warehouse().equals(warehouse)) {
                throw new BackupException("%s is of the warehouse %s, not of %s: give --warehouse"
                        .formatted(location, manifest.warehouse(), warehouse));
            }
            WarehouseFileIO io = (WarehouseFileIO) catalog.io();
            TableReconciliation reconciliation =
                    TableReconciliation.read(io, warehouse, DatabaseCopy.pointers(zip, location), manifest.time());
            Map<String, TableOffsets> archived = ArchivedCopies.read(io, warehouse);
            Revocations revocations = new Revocations(new RevocationClock(database, InstantSource.system()));
            database.write(connection -> {
                checkEmpty(connection);
                DatabaseCopy.restore(connection, zip, manifest, location);
                reconciliation.apply(connection, revocations, findings::add);
                boolean isWhole = findings.stream().noneMatch(Finding::isProblem);
                if (!isWhole && !acceptLoss) {
                    throw new LossException();
                }
                if (isWhole && !keepArchivedThrough) {
                    raiseArchivedThrough(connection, archived, findings);
                }
                return null;
            });
            return manifest;
        } catch (LossException e) {
            throw new BackupException(
                    "nothing was restored: see the lines above that begin with !. Restore these objects and run this"
                            + " again, or give --accept-loss",
                    e);
        }
    }

    /** Not if a table lacks commits: then the ingest job must read these rows again, as far as Kafka has them. */
    private static void raiseArchivedThrough(
            Connection connection, Map<String, TableOffsets> archived, List<Finding> findings) throws SQLException {
        for (Map.Entry<String, TableOffsets> stream : archived.entrySet()) {
            TableOffsets known = OffsetStore.archivedThrough(connection, stream.getKey());
            if (!known.max(stream.getValue()).equals(known)) {
                OffsetStore.raiseArchivedThrough(connection, stream.getKey(), stream.getValue());
                findings.add(Finding.done("stream " + stream.getKey(), "archived-through is as the warehouse tells"));
            }
        }
    }

    private void checkEmpty(Connection connection) throws SQLException {
        List<Integer> present = new ArrayList<>();
        present.add(PointerStore.all(connection).size());
        present.add(TenantStore.all(connection).size());
        present.add(UserStore.count(connection));
        if (!replace && present.stream().anyMatch(count -> count > 0)) {
            throw new BackupException(
                    "the database has %d tables, %d tenants and %d users: give --replace to replace them by the backup"
                            .formatted(present.toArray()));
        }
    }
}
