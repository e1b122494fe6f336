package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory that holds everything of one stack: data, generated configuration, logs, and what is known of the
 * running processes. Immutable; paths are absolute.
 *
 * @param directory the home itself
 */
public record Home(Path directory) {
    public Home {
        directory = directory.toAbsolutePath().normalize();
    }

    /** Makes the directories. @throws CordwoodException if they cannot be made or written */
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

    /** Where to reach what runs; there while the stack is ready. */
    public Path endpoints() {
        return directory.resolve("endpoints.json");
    }

    /** A configuration for Prometheus, written when a stack starts. */
    public Path prometheus() {
        return directory.resolve("prometheus.yml");
    }

    /** The ports, chosen once. */
    public Path ports() {
        return directory.resolve("ports.json");
    }

    /** What is known of processes. */
    public Path run() {
        return directory.resolve("run");
    }

    /** States of the services, written by the supervisor. */
    public Path statusFile() {
        return run().resolve("status.json");
    }

    /** The streams and what it takes to reach Kafka, written when a stack starts. */
    public Path factsFile() {
        return run().resolve("stack.json");
    }

    /** Held locked by the supervisor while it runs. */
    public Path lock() {
        return run().resolve("lock");
    }

    public Path logs() {
        return directory.resolve("log");
    }

    /** The log of one process. */
    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** Configuration of the services, written anew at each start. */
    public Path configuration() {
        return directory.resolve("etc");
    }

    /** What the services keep, except LogBlocks. */
    public Path data() {
        return directory.resolve("data");
    }

    /** LogBlocks and Iceberg metadata, unless the warehouse is elsewhere. */
    public Path warehouse() {
        return directory.resolve("warehouse");
    }

    /** Copies of our own jars, so that a build does not pull them from under running processes. */
    public Path libraries() {
        return directory.resolve("lib");
    }

    public Path temporary() {
        return directory.resolve("tmp");
    }
}
