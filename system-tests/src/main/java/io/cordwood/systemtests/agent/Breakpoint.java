package io.cordwood.systemtests.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The breakpoints in the job's JVM. A {@link FaultPoint} is armed while a directory of its name exists, which
 * {@code Breakpoints} creates. A commit that stops there writes a file with the tenant's name into the directory.
 * Thread-safe.
 */
public final class Breakpoint {
    /** The agent option, followed by the directory of {@code Breakpoints}. */
    public static final String NAME = "HOLDS@";

    /** The time limit of a breakpoint, so that a job without a release goes on. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 20;

    private static volatile Path directory;

    private Breakpoint() {}

    static void in(Path breakpoints) {
        directory = breakpoints;
    }

    /**
     * Called by the job. Returns at once unless the fault point is armed; otherwise waits for the release.
     *
     * @param point name of a {@link FaultPoint}
     * @param tenantId whose table is committed to
     * @param offsets table offsets that the commit sets, as JSON
     * @throws InterruptedException if the job ends meanwhile
     */
    public static void at(String point, String tenantId, String offsets) throws IOException, InterruptedException {
        Path held = directory.resolve(point);
        if (!Files.exists(held) || !tell(held, tenantId, offsets)) {
            return;
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (Files.exists(held) && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Called by the job. Whether to drop the input that is about to arrive: true once, for the first one.
     *
     * @param point name of a {@link FaultPoint}
     */
    public static synchronized boolean loses(String point) throws IOException {
        Path lost = directory.resolve(point);
        try (Stream<Path> before = Files.list(lost)) {
            if (before.findAny().isPresent()) {
                return false;
            }
        } catch (NoSuchFileException e) {
            return false; // Not armed.
        }
        return tell(lost, "flush", "");
    }

    /** False if the fault point is no longer armed. */
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
