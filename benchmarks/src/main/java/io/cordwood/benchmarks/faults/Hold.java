package io.cordwood.benchmarks.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * Holds a job at a {@link Moment}, in the job's own JVM, for as long as {@link Holds} wants it held there: while a directory
 * named like the moment exists. What is held writes a file into it, named like the tenant. Thread-safe.
 */
public final class Hold {
    /** What the agent is told, with the directory of {@link Holds} behind it. */
    static final String NAME = "HOLDS@";

    /** So that a job goes on that nobody releases. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 20;

    private static volatile Path directory;

    private Hold() {}

    static void in(Path holds) {
        directory = holds;
    }

    /**
     * Called by the job; returns at once unless it is to be held.
     *
     * @param moment name of a {@link Moment}
     * @param tenantId whose table is committed to
     * @param offsets table offsets that the commit sets, as JSON
     * @throws InterruptedException if the job ends meanwhile
     */
    public static void at(String moment, String tenantId, String offsets) throws IOException, InterruptedException {
        Path held = directory.resolve(moment);
        if (!Files.exists(held)) {
            return;
        }
        try {
            Path unfinished = Files.createTempFile(directory, moment, tenantId);
            Files.writeString(unfinished, offsets);
            Files.move(unfinished, held.resolve(tenantId), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // Released just now.
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (Files.exists(held) && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
