package io.cordwood.gateway.send;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the bytes of each tenant that Kafka has not acknowledged. Partitions are queues, and tenants share them: who
 * may fill one keeps the others waiting. What is beyond the window waits in the gateway instead. Thread-safe.
 */
public final class Windows {
    private final int bytes;
    private final Duration maxWait;
    private final ConcurrentMap<String, Window> ofTenants = new ConcurrentHashMap<>();

    /**
     * Windows of one size.
     *
     * @param bytes size of a window; a larger request waits until it has the window for itself
     * @param maxWait how long a request waits
     */
    public Windows(int bytes, Duration maxWait) {
        this.bytes = bytes;
        this.maxWait = maxWait;
    }

    private final class Window {
        private final Semaphore free = new Semaphore(bytes, true);
        private int requests;
    }

    /** The place of a request in its tenant's window, until it is closed. */
    public final class Place implements AutoCloseable {
        private final String tenant;
        private final Window window;
        private int held;

        private Place(String tenant) {
            this.tenant = tenant;
            this.window = ofTenants.compute(tenant, (any, known) -> {
                Window open = known == null ? new Window() : known;
                open.requests++;
                return open;
            });
        }

        private void await(int wanted) throws InterruptedException {
            if (!window.free.tryAcquire(wanted, maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new RefusedException(
                        Reason.TOO_BUSY,
                        "Kafka has not acknowledged too many bytes of the tenant yet: send again a little later");
            }
            held = wanted;
        }

        @Override
        public void close() {
            window.free.release(held);
            ofTenants.computeIfPresent(tenant, (any, open) -> --open.requests == 0 ? null : open);
        }
    }

    /** The number of tenants with requests. */
    int tenants() {
        return ofTenants.size();
    }

    /**
     * Waits for a place.
     *
     * @param size bytes of the request
     * @throws RefusedException if it takes too long
     */
    public Place enter(String tenant, long size) throws InterruptedException {
        Place place = new Place(tenant);
        try {
            place.await((int) Math.min(size, bytes));
            return place;
        } catch (InterruptedException | RuntimeException e) {
            place.close();
            throw e;
        }
    }
}
