package io.cordwood.catalog;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Jittered, growing pauses between a bounded number of attempts. Not thread-safe. */
final class BackOff {
    private static final int MAX_SHIFT = 20;

    private final int maxAttempts;
    private final long firstMillis;
    private final long longestMillis;
    private int attempts;

    BackOff(int maxAttempts, long firstMillis, long longestMillis) {
        this.maxAttempts = maxAttempts;
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
    }

    /** About ten seconds over all attempts: outlasts any contention, and a restart of the catalog service. */
    static BackOff ofCommits() {
        return new BackOff(24, 10, 1_000);
    }

    /** Counts an attempt that failed; says whether another one may be made. */
    boolean mayRetry() {
        attempts++;
        return attempts < maxAttempts;
    }

    int attempts() {
        return attempts;
    }

    void pause() throws InterruptedException {
        long longest = Math.min(longestMillis, firstMillis << Math.min(attempts, MAX_SHIFT));
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest) + 1);
    }
}
