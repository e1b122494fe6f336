package io.cordwood.search.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The processors that long work may keep busy: all but half of one, which is left to short requests. Whoever does such
 * work takes its time here afterwards, and waits until all that was taken has passed. Nothing is held meanwhile, so
 * work that ends, fails or waits for something else keeps nobody waiting. Thread-safe.
 */
final class LongWork {
    private static final double LEFT_TO_OTHERS = 0.5;

    /** Of this process, whose virtual threads share its processors. */
    static final LongWork SHARED =
            new LongWork(Runtime.getRuntime().availableProcessors() - LEFT_TO_OTHERS, System.nanoTime());

    private final double processors;
    private final AtomicLong takenUntil;

    /** @param now the time, by {@link System#nanoTime} */
    LongWork(double processors, long now) {
        this.processors = processors;
        this.takenUntil = new AtomicLong(now);
    }

    /**
     * Takes time of the processors.
     *
     * @param begun when the work began, by {@link System#nanoTime}
     * @param nanos how long it took
     * @return when more of it may be done
     */
    long take(long begun, long nanos) {
        long part = (long) (nanos / processors);
        return takenUntil.accumulateAndGet(begun, (until, from) -> (until - from > 0 ? until : from) + part);
    }
}
