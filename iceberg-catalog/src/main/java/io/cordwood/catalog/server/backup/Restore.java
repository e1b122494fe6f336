package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.option.RestoreFlags;
import io.cordwood.options.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
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

    @Mixin
    private RestoreFlags choices;

    private Restore() {}

    @Override
    public Integer call() throws IOException {
        Instant begin = Instant.now();
        Path file = Files.createTempFile("cordwood-restore", ".zip");
        Restoration restoration = new Restoration(
                flags.jdbcUrl(),
                flags.warehouse(),
                flags.properties(),
                choices.replace(),
                choices.acceptLoss(),
                choices.keepArchivedThrough());
        List<Finding> findings = new ArrayList<>();
        try (WarehouseFileIO io = flags.io()) {
            String location = new BackupPlace(io, BackupFlags.location(place)).newest();
            BackupPlace.fetch(io, location, file);
            System.out.println("restoring " + location);
            DatabaseCopy.Manifest backup = restoration.run(file, location, findings);
            findings.forEach(System.out::println);
            System.out.printf(
                    "restored %,d rows of %d tables, as of %s, and brought them up to date, in %.1f s%n",
                    backup.allRows(),
                    backup.rows().size(),
                    backup.time(),
                    Duration.between(begin, Instant.now()).toMillis() / 1000.0);
            return 0;
        } catch (BackupException e) {
            findings.forEach(System.out::println);
            throw e;
        } finally {
            Files.delete(file);
        }
    }

    /** Runs the program. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(
                Program.run("restore", new Restore(), Set.of(IOException.class, RuntimeException.class), arguments));
    }
}
