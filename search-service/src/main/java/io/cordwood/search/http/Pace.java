package io.cordwood.search.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Checks work, and lets other requests run meanwhile: a virtual thread keeps its processor until it waits, so a few of
 * them would keep all others waiting. Work that takes long leaves a part of the processors to others. Not thread-safe.
 */
public final class Pace implements Runnable {
    /** Short, because a request waits for its processor many times until it is answered. */
    private static final long SLICE_NANOS = 1_000_000;
    /** Work that takes more is long. */
    static final long SHORT_NANOS = 100_000_000;
    /** Checks are a few milliseconds apart: what took longer waited for rows, or for a processor. */
    static final long MAX_SLICE_NANOS = 10_000_000;

    private final Runnable check;
    private final AtomicLong worked;
    private final LongWork longWork;
    private final LongSupplier clock;
    private final LongConsumer sleep;
    private long begun;

    /** @param check called each time; what it throws ends the work */
    public Pace(Runnable check) {
        this(check, new AtomicLong());
    }

    /**
     * The pace of a part of some work.
     *
     * @param check called each time; what it throws ends the work
     * @param worked nanoseconds that all parts of the work have taken so far
     */
    public Pace(Runnable check, AtomicLong worked) {
        this(check, worked, LongWork.SHARED, System::nanoTime, LockSupport::parkNanos);
    }

    Pace(Runnable check, AtomicLong worked, LongWork longWork, LongSupplier clock, LongConsumer sleep) {
        this.check = check;
        this.worked = worked;
        this.longWork = longWork;
        this.clock = clock;
        this.sleep = sleep;
        this.begun = clock.getAsLong();
    }

    /** Goes on after a wait: the time since the last check was no work. */
    public void resume() {
        begun = clock.getAsLong();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Virtual threads take turns only so, and any order of them is right
    public void run() {
        check.run();
        long slice = Math.min(clock.getAsLong() - begun, MAX_SLICE_NANOS);
        if (slice <= SLICE_NANOS) {
            return;
        }
        long wait = worked.addAndGet(slice) > SHORT_NANOS ? longWork.take(begun, slice) - clock.getAsLong() : 0;
        // An interrupted thread does not sleep
        if (wait > 0 && !Thread.currentThread().isInterrupted()) {
            sleep.accept(wait);
        } else {
            Thread.yield();
        }
        begun = clock.getAsLong();
    }
}
