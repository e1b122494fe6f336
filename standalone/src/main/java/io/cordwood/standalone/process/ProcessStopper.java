package io.cordwood.standalone.process;

import java.time.Duration;
import java.util.Optional;

/** Ends processes, whether they are children or not. It asks first, and kills when the time is up. */
public final class ProcessStopper {
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(20);

    private ProcessStopper() {}

    /**
     * Returns when the process has ended.
     *
     * @return whether it ended by itself within the limit
     */
    public static boolean stop(ProcessHandle process, Duration limit) throws InterruptedException {
        Optional<ProcessIdentity> identity = ProcessIdentity.of(process.pid());
        if (identity.isEmpty()) {
            return true;
        }
        process.destroy();
        if (awaitEnd(identity.get(), limit)) {
            return true;
        }
        process.destroyForcibly();
        awaitEnd(identity.get(), KILL_LIMIT);
        return false;
    }

    /** Waits for the end of a process; false if it still runs after the limit. */
    public static boolean awaitEnd(ProcessIdentity process, Duration limit) throws InterruptedException {
        // Polled, because the end of a process that is not our child, and a zombie, raise no event.
        long deadline = System.nanoTime() + limit.toNanos();
        while (process.alive().isPresent()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }
}
