package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.StoredPointer;
import io.cordwood.options.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program that backs up the catalog's database. It reads one state of it, while services go on. */
@Command(
        name = "Backup",
        mixinStandardHelpOptions = true,
        description = "Copies the catalog's database: tables, tenants, users, tokens, positions.")
public final class Backup implements Callable<Integer> {
    @Mixin
    private BackupFlags flags;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "PLACE",
            description = "directory or s3://BUCKET/PREFIX that gets one more file")
    private String place;

    private Backup() {}

    @Override
    public Integer call() throws IOException {
        Instant begin = Instant.now();
        checkExists(flags.jdbcUrl());
        Path file = Files.createTempFile("cordwood-backup", ".zip");
        try (Database database = Database.open(flags.jdbcUrl());
                WarehouseFileIO io = flags.io()) {
            DatabaseCopy.Manifest manifest = write(database, file, begin, flags.warehouse());
            String location = new BackupPlace(io, BackupFlags.location(place)).put(file, begin);
            System.out.printf(
                    "%s: %,d rows of %d tables, %,d KB, in %.1f s%n",
                    location,
                    manifest.allRows(),
                    manifest.rows().size(),
                    Math.ceilDiv(Files.size(file), 1024),
                    Duration.between(begin, Instant.now()).toMillis() / 1000.0);
            return 0;
        } finally {
            Files.delete(file);
        }
    }

    /** SQLite would create it. */
    private static void checkExists(String jdbcUrl) {
        if (Database.isSqlite(jdbcUrl)) {
            Path file = Path.of(jdbcUrl.substring("jdbc:sqlite:".length()).replaceFirst("\\?.*", ""));
            if (!Files.exists(file)) {
                throw new BackupException(
                        "there is no database %s: give the options that the catalog was started with".formatted(file));
            }
        }
    }

    /**
     * Writes a backup to a local file.
     *
     * @throws BackupException if the database is not that of a catalog with this warehouse
     */
    static DatabaseCopy.Manifest write(Database database, Path file, Instant time, String warehouse) {
        return database.read(connection -> {
            checkWarehouse(connection, warehouse);
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
                return DatabaseCopy.write(connection, zip, time, warehouse);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot write " + file, e);
            }
        });
    }

    private static void checkWarehouse(Connection connection, String warehouse) throws SQLException {
        if (!DatabaseCopy.hasCatalog(connection)) {
            throw new BackupException(
                    "the database is not that of a catalog: give the options that the catalog was started with");
        }
        List<StoredPointer> pointers = PointerStore.all(connection);
        if (!pointers.isEmpty()
                && pointers.stream()
                        .noneMatch(pointer -> pointer.metadataLocation().startsWith(warehouse + "/"))) {
            throw new BackupException(
                    "no table of the database lies in %s: give the --warehouse of the catalog".formatted(warehouse));
        }
    }

    /** Runs the program. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("backup", new Backup(), Set.of(IOException.class, RuntimeException.class), arguments));
    }
}
