package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of one stack: data, generated configuration, logs, and the state of its processes. Immutable; paths are
 * absolute.
 *
 * @param directory the home itself
 */
public record Home(Path directory) {
    public Home {
        directory = directory.toAbsolutePath().normalize();
    }

    /** Creates the directories. @throws CordwoodException if they cannot be created or written */
    public void create() {
        try {
            for (Path path : new Path[] {run(), logs(), configuration(), data(), temporary(), libraries()}) {
                Files.createDirectories(path);
            }
        } catch (IOException e) {
            throw new CordwoodException("cannot use %s as home: %s".formatted(directory, Errors.text(e)), e);
        }
        if (!Files.isWritable(run())) {
            throw new CordwoodException("cannot write to the home " + directory);
        }
    }

    /** Addresses of the services; exists while the stack is ready. */
    public Path endpoints() {
        return directory.resolve("endpoints.json");
    }

    /** The configuration for Prometheus, written when a stack starts. */
    public Path prometheus() {
        return directory.resolve("prometheus.yml");
    }

    /** The ports, which are chosen once. */
    public Path ports() {
        return directory.resolve("ports.json");
    }

    /** Files about the running processes. */
    public Path run() {
        return directory.resolve("run");
    }

    /** States of the services, written by the supervisor. */
    public Path statusFile() {
        return run().resolve("status.json");
    }

    /** The streams and the Kafka client settings, written when a stack starts. */
    public Path factsFile() {
        return run().resolve("stack.json");
    }

    /** The lock file, which the supervisor holds while it runs. */
    public Path lock() {
        return run().resolve("lock");
    }

    /** The lock file of a rotation of secrets. */
    public Path rotationLock() {
        return run().resolve("rotation.lock");
    }

    public Path logs() {
        return directory.resolve("log");
    }

    /** The log of one process. */
    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** Configuration of the services, rewritten at each start. */
    public Path configuration() {
        return directory.resolve("etc");
    }

    /** Data of the services, except LogBlocks. */
    public Path data() {
        return directory.resolve("data");
    }

    /** JDBC URL of the catalog's database, unless it is elsewhere. */
    public String catalogDatabase() {
        return "jdbc:sqlite:" + data().resolve("catalog.db");
    }

    /** LogBlocks and Iceberg metadata, unless the warehouse is elsewhere. */
    public Path warehouse() {
        return directory.resolve("warehouse");
    }

    /** The warehouse as a location: without the slash that a URI of a directory ends in, as locations append one. */
    public String warehouseLocation() {
        return "file://" + warehouse();
    }

    /** Redis's program and Trino's plugins. */
    public Path libraries() {
        return directory.resolve("lib");
    }

    /** The secrets of a stack with authentication. */
    public Path secrets() {
        return directory.resolve("secrets");
    }

    public Path temporary() {
        return directory.resolve("tmp");
    }
}
