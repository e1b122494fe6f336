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
import io.cordwood.options.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.zip.ZipFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The program that restores the catalog's database from a backup, and brings it up to date with the warehouse.
 * All or nothing: it is one transaction. No catalog service may run on the database meanwhile.
 */
@Command(
        name = "Restore",
        mixinStandardHelpOptions = true,
        description = "Restores the catalog's database from a backup, and reconciles it with the warehouse.")
public final class Restore implements Callable<Integer> {
    @Mixin
    private BackupFlags flags;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "PLACE",
            description = "directory or s3://BUCKET/PREFIX, of which the newest backup is taken, or one backup in it")
    private String place;

    @Option(names = "--replace", description = "replaces what the database holds")
    private boolean replace;

    private Restore() {}

    @Override
    public Integer call() throws IOException {
        Instant begin = Instant.now();
        Path directory = Files.createTempDirectory("cordwood-restore");
        Path file = directory.resolve("backup.zip");
        List<Finding> findings = new ArrayList<>();
        Consumer<Finding> printed = finding -> {
            findings.add(finding);
            System.out.println(finding);
        };
        try (WarehouseFileIO io = flags.io()) {
            String location = new BackupPlace(io, BackupFlags.location(place)).newest();
            BackupPlace.fetch(io, location, file);
            System.out.println("restoring " + location);
            DatabaseCopy.Manifest manifest =
                    restore(flags.jdbcUrl(), flags.warehouse(), flags.properties(), file, location, replace, printed);
            System.out.printf(
                    "%,d rows of %d tables restored, as of %s%n",
                    manifest.allRows(), manifest.rows().size(), manifest.time());
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
        long problems = findings.stream().filter(Finding::isProblem).count();
        System.out.printf(
                "reconciled in %.1f s: %d lines above, of which %d need your attention%n",
                Duration.between(begin, Instant.now()).toMillis() / 1000.0, findings.size(), problems);
        return problems == 0 ? 0 : 1;
    }

    /**
     * Restores in one transaction.
     *
     * @param location where the backup comes from, for errors
     * @throws BackupException if the backup cannot be restored here; the database is then as before
     */
    static DatabaseCopy.Manifest restore(
            String jdbcUrl,
            String warehouse,
            Map<String, String> properties,
            Path backup,
            String location,
            boolean replace,
            Consumer<Finding> findings)
            throws IOException {
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
            Map<String, TableOffsets> archived;
            try (ArchivedCopies copies = new ArchivedCopies(io, warehouse)) {
                archived = copies.all();
            }
            Revocations revocations = new Revocations(new RevocationClock(database, InstantSource.system()));
            database.write(connection -> {
                checkEmpty(connection, replace);
                DatabaseCopy.restore(connection, zip, manifest, location);
                List<Finding> found = new ArrayList<>();
                reconciliation.apply(connection, revocations, found::add);
                raiseArchivedThrough(connection, archived, found);
                found.forEach(findings);
                return null;
            });
            return manifest;
        }
    }

    /** Not if a table lacks commits: then the ingest job must read these rows again, as far as Kafka has them. */
    private static void raiseArchivedThrough(
            Connection connection, Map<String, TableOffsets> archived, List<Finding> findings) throws SQLException {
        boolean isWhole = findings.stream().noneMatch(Finding::isProblem);
        for (Map.Entry<String, TableOffsets> stream : archived.entrySet()) {
            TableOffsets known = OffsetStore.archivedThrough(connection, stream.getKey());
            if (known.max(stream.getValue()).equals(known)) {
                continue;
            }
            String subject = "stream " + stream.getKey();
            if (isWhole) {
                OffsetStore.raiseArchivedThrough(connection, stream.getKey(), stream.getValue());
                findings.add(Finding.done(subject, "archived-through is as the warehouse tells"));
            } else {
                findings.add(Finding.done(
                        subject,
                        "archived-through stays as in the backup, so that the ingest job reads again from there"));
            }
        }
    }

    private static void checkEmpty(Connection connection, boolean replace) throws SQLException {
        int tables = PointerStore.all(connection).size();
        int tenants = TenantStore.all(connection).size();
        int users = UserStore.count(connection);
        if (!replace && tables + tenants + users > 0) {
            throw new BackupException(
                    "the database has %d tables, %d tenants and %d users: give --replace to replace them by the backup"
                            .formatted(tables, tenants, users));
        }
    }

    /** Runs the program. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(
                Program.run("restore", new Restore(), Set.of(IOException.class, RuntimeException.class), arguments));
    }
}
