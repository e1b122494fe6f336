package io.cordwood.catalog.commit;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Jittered, growing pauses between a bounded number of attempts. Not thread-safe, except for the static methods.
 */
public final class BackOff {
    private final int maxAttempts;
    private final long firstMillis;
    private final long longestMillis;
    private int attempts;

    public BackOff(int maxAttempts, long firstMillis, long longestMillis) {
        this.maxAttempts = maxAttempts;
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
    }

    /** About ten seconds over all attempts: long enough for any contention and for a restart of the catalog service. */
    public static BackOff ofCommits() {
        return new BackOff(24, 10, 1_000);
    }

    /** Counts a failed attempt. Returns whether another one is allowed. */
    public boolean mayRetry() {
        attempts++;
        return attempts < maxAttempts;
    }

    public int attempts() {
        return attempts;
    }

    public void pause() throws InterruptedException {
        long longest = delayMillis(attempts, firstMillis, longestMillis);
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest) + 1);
    }

    /**
     * The delay before the next attempt: doubles with each failure, up to a bound. Without jitter.
     *
     * @param failures number of doublings: 0 gives {@code firstMillis}
     * @param firstMillis the shortest delay, in milliseconds
     * @param longestMillis the longest delay, in milliseconds
     * @throws IllegalArgumentException if {@code failures} is negative or a delay is not positive
     */
    public static long delayMillis(int failures, long firstMillis, long longestMillis) {
        if (failures < 0 || firstMillis < 1 || longestMillis < 1) {
            throw new IllegalArgumentException("No back-off after %d failures from %d up to %d ms"
                    .formatted(failures, firstMillis, longestMillis));
        }
        boolean reachesLongest = failures >= Long.SIZE - 1 || firstMillis > longestMillis >> failures;
        return reachesLongest ? longestMillis : firstMillis << failures;
    }
}
