package io.cordwood.search.http;

import java.util.concurrent.locks.LockSupport;

/**
 * Checks work, and lets other requests run meanwhile: a virtual thread keeps its processor until it waits, so a few of
 * them would keep all others waiting. Long work leaves one processor to the others. Not thread-safe.
 */
public final class Pace implements Runnable {
    /** Short, because a request waits for its processor many times until it is answered. */
    private static final long SLICE_NANOS = 1_000_000;
    /** Work that takes more is long. */
    private static final long SHORT_NANOS = 100_000_000;
    /** Of a longer slice, the rest was spent waiting. */
    private static final long MAX_SLICE_NANOS = 10_000_000;

    private final Runnable check;
    private long begun = System.nanoTime();
    private long worked;

    /** @param check called each time; what it throws ends the work */
    public Pace(Runnable check) {
        this.check = check;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Virtual threads take turns only so, and any order of them is right
    public void run() {
        check.run();
        long slice = Math.min(System.nanoTime() - begun, MAX_SLICE_NANOS);
        if (slice <= SLICE_NANOS) {
            return;
        }
        worked += slice;
        if (worked > SHORT_NANOS) {
            waitUntil(LongWork.SHARED.take(begun, slice));
        } else {
            Thread.yield();
        }
        begun = System.nanoTime();
    }

    /** An interrupt ends the wait, and is left to the check. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void waitUntil(long time) {
        long rest = time - System.nanoTime();
        if (rest > 0) {
            LockSupport.parkNanos(rest);
        } else {
            Thread.yield();
        }
    }
}
