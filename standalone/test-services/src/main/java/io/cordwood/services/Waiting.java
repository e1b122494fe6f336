package io.cordwood.services;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for other processes by polling. */
public final class Waiting {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Waiting() {}

    /**
     * A condition that may need I/O to check.
     *
     * @param <E> what the check may throw
     */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E, InterruptedException;
    }

    /**
     * Returns once the condition holds.
     *
     * @param what the condition in words, for the error
     * @throws IllegalStateException if it does not hold within ten minutes
     */
    public static <E extends Exception> void until(String what, Condition<E> condition) throws E, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Waited %s in vain until %s".formatted(LIMIT, what));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting until " + what);
            }
        }
    }
}
