package io.cordwood.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * The bytes of request bodies that a service holds at once, over all connections. Thread-safe.
 *
 * <p>Each kind of {@link Sender} has shares of its own: one for the beginnings of bodies, and one for the rest. So many
 * bodies, however slowly they come, take nothing from senders of another kind, and large ones take nothing from small
 * requests.
 */
public final class BodyBudget {
    /** From a body's beginning, which is all of most. */
    static final int SMALL_BYTES = 64 << 10;

    private static final Duration MAX_READING = Duration.ofMinutes(1);
    private static final int LEAST_BYTES = 16 << 20;
    private static final int MOST_BYTES = 1 << 30;
    private static final int LEAST_SMALL_BYTES = 4 << 20;
    private static final int SERVICES_PART = 6;
    private static final int PERSONS_PART = 24;
    private static final int SMALL_PART = 72;

    private final Map<Sender, Share> shares;
    private final Duration maxReading;

    /** What senders of one kind hold: beginnings of bodies, and the rest of them. */
    private record Share(Semaphore small, Semaphore large) {
        Share(int small, int large) {
            this(new Semaphore(small), new Semaphore(large));
        }
    }

    /**
     * Creates a budget. The bodies of unknown senders have no more than their beginnings.
     *
     * @param small bytes for the beginnings of bodies, of each kind of senders
     * @param persons bytes for the rest of what persons send
     * @param services bytes for the rest of what services and operators send
     * @param maxReading how long one body may take to come
     */
    public BodyBudget(int small, int persons, int services, Duration maxReading) {
        this.shares = Map.of(
                Sender.UNKNOWN, new Share(small, 0),
                Sender.PERSON, new Share(small, persons),
                Sender.SERVICE, new Share(small, services));
        this.maxReading = maxReading;
    }

    /** A quarter of the heap, as what is made of a body takes several times its size. */
    public static BodyBudget ofHeap() {
        long heap = Runtime.getRuntime().maxMemory();
        return new BodyBudget(
                bounded(heap / SMALL_PART, LEAST_SMALL_BYTES),
                bounded(heap / PERSONS_PART, LEAST_BYTES),
                bounded(heap / SERVICES_PART, Sender.SERVICE.maxBodyBytes()),
                MAX_READING);
    }

    private static int bounded(long bytes, int least) {
        return Math.toIntExact(Math.clamp(bytes, least, MOST_BYTES));
    }

    /** Begins to read a body of such a sender. */
    public Hold hold(Sender sender) {
        return new Hold(shares.get(sender));
    }

    /** What one body holds, until it is closed. Not thread-safe. */
    public final class Hold implements AutoCloseable {
        private final Share share;
        private final long deadline = System.nanoTime() + maxReading.toNanos();
        private int bytes;

        private Hold(Share share) {
            this.share = share;
        }

        /**
         * Takes more bytes that have come.
         *
         * @throws BusyException if the service holds too many already
         * @throws SlowBodyException if the body takes too long
         */
        void grow(int more) {
            int ofSmall = Math.clamp(SMALL_BYTES - bytes, 0, more);
            if (!share.small().tryAcquire(ofSmall)) {
                throw new BusyException();
            }
            if (!share.large().tryAcquire(more - ofSmall)) {
                share.small().release(ofSmall);
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
            share.small().release(ofSmall);
            share.large().release(bytes - ofSmall);
            bytes = 0;
        }
    }
}
