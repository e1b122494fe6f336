package io.cordwood.catalog;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Jittered, growing pauses between attempts: about ten seconds over all of them. Not thread-safe. */
final class BackOff {
    private static final int MAX_ATTEMPTS = 24;
    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 1_000;

    private int attempts;

    /** Counts an attempt that failed; says whether another one may be made. */
    boolean mayRetry() {
        attempts++;
        return attempts < MAX_ATTEMPTS;
    }

    int attempts() {
        return attempts;
    }

    void pause() throws InterruptedException {
        long longest = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(attempts, 20));
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest) + 1);
    }
}
