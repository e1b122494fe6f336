package io.cordwood.catalog.server.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The bytes of request bodies that the service holds at once, over all connections. Thread-safe.
 *
 * <p>The beginning of each body comes out of a share of its own, and so does all that persons send. So many large
 * bodies, however slowly they come, keep neither small requests nor services waiting.
 */
final class BodyBudget {
    /** From a body's beginning, which is all of most. */
    static final int SMALL_BYTES = 64 << 10;

    private static final Duration MAX_READING = Duration.ofMinutes(1);
    private static final int LEAST_BYTES = 16 << 20;
    private static final int MOST_BYTES = 1 << 30;
    private static final int LARGE_PART = 6;
    private static final int SMALL_PART = 24;

    private final Semaphore small;
    private final Semaphore persons;
    private final Semaphore services;
    private final Duration maxReading;

    /**
     * Creates a budget.
     *
     * @param small bytes for the beginnings of all bodies
     * @param persons bytes for the rest of what persons send
     * @param services bytes for the rest of what services and operators send
     * @param maxReading how long one body may take to come
     */
    BodyBudget(int small, int persons, int services, Duration maxReading) {
        this.small = new Semaphore(small);
        this.persons = new Semaphore(persons);
        this.services = new Semaphore(services);
        this.maxReading = maxReading;
    }

    /** A quarter of the heap, as what is made of a body takes several times its size. */
    static BodyBudget ofHeap() {
        long heap = Runtime.getRuntime().maxMemory();
        return new BodyBudget(
                bounded(heap / SMALL_PART, LEAST_BYTES),
                bounded(heap / SMALL_PART, LEAST_BYTES),
                bounded(heap / LARGE_PART, Math.toIntExact(Route.LARGE_BODY_BYTES)),
                MAX_READING);
    }

    private static int bounded(long bytes, int least) {
        return Math.toIntExact(Math.clamp(bytes, least, MOST_BYTES));
    }

    /** Begins to read a body of this caller. */
    Hold hold(Caller caller) {
        return new Hold(caller.isPerson() ? persons : services);
    }

    /** What one body holds, until it is closed. Not thread-safe. */
    final class Hold implements AutoCloseable {
        private final Semaphore large;
        private final long deadline = System.nanoTime() + maxReading.toNanos();
        private int bytes;

        private Hold(Semaphore large) {
            this.large = large;
        }

        /**
         * Takes more bytes that have come.
         *
         * @throws BusyException if the service holds too many already
         * @throws SlowBodyException if the body takes too long
         */
        void grow(int more) {
            int ofSmall = Math.clamp(SMALL_BYTES - bytes, 0, more);
            if (!small.tryAcquire(ofSmall)) {
                throw new BusyException();
            }
            if (!large.tryAcquire(more - ofSmall)) {
                small.release(ofSmall);
                throw new BusyException();
            }
            bytes += more;
            if (System.nanoTime() - deadline > 0) {
                throw new SlowBodyException(maxReading);
            }
        }

        @Override
        public void close() {
            int ofSmall = Math.min(bytes, SMALL_BYTES);
            small.release(ofSmall);
            large.release(bytes - ofSmall);
            bytes = 0;
        }
    }
}
