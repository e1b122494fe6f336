package io.cordwood.search.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The processors that long work may keep busy: all but one, so that a short request always finds one. Whoever does such
 * work takes its time here afterwards, and waits until all that was taken has passed. Nothing is held meanwhile, so
 * work that ends, fails or waits for something else keeps nobody waiting. Thread-safe.
 */
final class LongWork {
    /** Of this process, whose virtual threads share its processors. */
    static final LongWork SHARED = new LongWork(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

    private final int processors;
    private final AtomicLong takenUntil = new AtomicLong(System.nanoTime());

    LongWork(int processors) {
        this.processors = processors;
    }

    /**
     * Takes time of the processors.
     *
     * @param begun when the work began, by {@link System#nanoTime}
     * @param nanos how long it took
     * @return when more of it may be done
     */
    long take(long begun, long nanos) {
        return takenUntil.accumulateAndGet(
                begun, (until, from) -> (until - from > 0 ? until : from) + nanos / processors);
    }
}
