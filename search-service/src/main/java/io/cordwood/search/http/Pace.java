package io.cordwood.search.http;

/**
 * Checks long work, and lets other requests run meanwhile: a virtual thread keeps its processor until it waits, so a
 * few of them would keep all others waiting. Not thread-safe.
 */
public final class Pace implements Runnable {
    /** Short, because a request waits for its processor many times until it is answered. */
    private static final long SLICE_NANOS = 1_000_000;

    private final Runnable check;
    private long begun = System.nanoTime();

    /** @param check called each time; what it throws ends the work */
    public Pace(Runnable check) {
        this.check = check;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Virtual threads take turns only so, and any order of them is right
    public void run() {
        check.run();
        if (System.nanoTime() - begun > SLICE_NANOS) {
            Thread.yield();
            begun = System.nanoTime();
        }
    }
}
