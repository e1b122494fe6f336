package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.process.ChildProgram;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Backs up and restores the database of a catalog, by programs with the class path of the catalog service. Immutable.
 *
 * @param database JDBC URL; absent: that of the secrets, else the file in the home
 * @param warehouse location of the warehouse; absent: in the home
 * @param s3 connection to the S3 store of the warehouse and of the backups
 * @param secrets secrets of a catalog service that runs alone
 */
public record CatalogBackup(
        Home home, Optional<String> database, Optional<String> warehouse, S3Settings s3, Optional<Secrets> secrets) {
    private static final String NAME = "backup";
    private static final String MODULE = "standalone/catalog-server";
    private static final String PACKAGE = "io.cordwood.catalog.server.backup.";
    private static final int HEAP_MEGABYTES = 384;

    /** Makes a backup in a place. Returns the exit code of the program, which prints what it did. */
    public int copy(Installation installation, String place) throws InterruptedException {
        return run(installation, "Backup", List.of("--to", place));
    }

    /**
     * Restores the newest backup of a place. Returns the exit code of the program, which prints what it did.
     *
     * @param choices options of the program
     */
    public int restore(Installation installation, String place, List<String> choices) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("--from", place));
        arguments.addAll(choices);
        return run(installation, "Restore", arguments);
    }

    private int run(Installation installation, String program, List<String> arguments) throws InterruptedException {
        Path url = home.temporary()
                .resolve("backup-%d.url".formatted(ProcessHandle.current().pid()));
        try {
            // The file may hold a password, so only its owner may read it.
            AtomicFiles.write(
                    url,
                    database.or(() -> secrets.flatMap(Secrets::catalogDatabase)).orElseGet(home::catalogDatabase));
            ProcessBuilder builder =
                    new ProcessBuilder(java(url).arguments(arguments).program(installation, MODULE, PACKAGE + program));
            secrets.flatMap(Secrets::s3Credentials)
                    .ifPresent(file -> builder.environment().put("AWS_SHARED_CREDENTIALS_FILE", file.toString()));
            return ChildProgram.run(builder);
        } catch (IOException e) {
            throw new CordwoodException("cannot run the %s: %s".formatted(program, Errors.text(e)), e);
        } finally {
            delete(url);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new CordwoodException(
                    "cannot delete %s, which may hold a password: %s".formatted(file, Errors.text(e)), e);
        }
    }

    private JavaCommand java(Path url) {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                .log4j(new LogConfiguration(NAME, "ERROR", Map.of("io.cordwood", "WARN")))
                .argument("--jdbc-url-file", url.toString())
                .argument("--warehouse", warehouse.orElseGet(home::warehouseLocation))
                .properties(s3.properties());
    }
}
