package io.cordwood.ingest.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Waiting() {}

    /** A condition that may need I/O to check. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    static void until(String what, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Waited %s in vain until %s".formatted(LIMIT, what));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }
}
