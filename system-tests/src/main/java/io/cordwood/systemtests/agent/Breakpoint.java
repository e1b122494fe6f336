package io.cordwood.systemtests.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Steps in at a {@link FaultPoint} of a job, in its own JVM, when {@code Breakpoints} wants it: while a directory named
 * like the moment exists. What is held writes a file into it, named like the tenant. Thread-safe.
 */
public final class Breakpoint {
    /** What the agent is told, with the directory of {@code Breakpoints} behind it. */
    public static final String NAME = "HOLDS@";

    /** So that a job goes on that nobody releases. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 20;

    private static volatile Path directory;

    private Breakpoint() {}

    static void in(Path holds) {
        directory = holds;
    }

    /**
     * Called by the job; returns at once unless it is to be held.
     *
     * @param moment name of a {@link FaultPoint}
     * @param tenantId whose table is committed to
     * @param offsets table offsets that the commit sets, as JSON
     * @throws InterruptedException if the job ends meanwhile
     */
    public static void at(String moment, String tenantId, String offsets) throws IOException, InterruptedException {
        Path held = directory.resolve(moment);
        if (!Files.exists(held) || !tell(held, tenantId, offsets)) {
            return;
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (Files.exists(held) && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Called by the job: whether what it is about to get is to be lost; once, for what comes first.
     *
     * @param moment name of a {@link FaultPoint}
     */
    public static synchronized boolean loses(String moment) throws IOException {
        Path lost = directory.resolve(moment);
        try (Stream<Path> before = Files.list(lost)) {
            if (before.findAny().isPresent()) {
                return false;
            }
        } catch (NoSuchFileException e) {
            return false; // Not armed.
        }
        return tell(lost, "flush", "");
    }

    /** False if the moment is no longer armed. */
    private static boolean tell(Path armed, String name, String text) throws IOException {
        Path unfinished = Files.createTempFile(directory, name, "");
        Files.writeString(unfinished, text);
        try {
            Files.move(unfinished, armed.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
