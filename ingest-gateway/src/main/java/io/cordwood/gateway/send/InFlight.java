package io.cordwood.gateway.send;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of requests, from their first byte until they are answered, in bytes: bounded over all tenants, and for
 * each. Thread-safe.
 */
public final class InFlight {
    private final long maxBytes;
    private final long maxOfTenant;
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentMap<String, Long> ofTenants = new ConcurrentHashMap<>();

    /**
     * @param maxBytes of all tenants
     * @param maxOfTenant of one tenant
     */
    public InFlight(long maxBytes, long maxOfTenant) {
        this.maxBytes = maxBytes;
        this.maxOfTenant = Math.min(maxOfTenant, maxBytes);
    }

    /** Bytes that are held now. */
    public long bytes() {
        return bytes.get();
    }

    /** Begins a request of a tenant. */
    public Hold hold(String tenant) {
        return new Hold(tenant);
    }

    /** What one request holds, until it is closed. Not thread-safe. */
    public final class Hold implements AutoCloseable {
        private final String tenant;
        private long held;

        private Hold(String tenant) {
            this.tenant = tenant;
        }

        /**
         * Holds more bytes.
         *
         * @throws RefusedException if the gateway, or the tenant, holds too many already, or this request alone has
         *     more than a tenant may
         */
        public void grow(long more) {
            if (held + more > maxOfTenant) {
                throw new RefusedException(
                        Reason.TOO_LARGE,
                        "The request needs more than the %,d bytes of memory that a tenant may have: send it in parts"
                                .formatted(maxOfTenant));
            }
            ofTenants.compute(tenant, (any, before) -> {
                long now = (before == null ? 0 : before) + more;
                if (now > maxOfTenant) {
                    throw busy("of the tenant");
                }
                return now;
            });
            held += more;
            if (bytes.addAndGet(more) > maxBytes) {
                shrink(more);
                throw busy("of all tenants");
            }
        }

        private RefusedException busy(String whose) {
            return new RefusedException(
                    Reason.TOO_BUSY, "The gateway holds too many bytes %s: send again a little later".formatted(whose));
        }

        /** Bytes that the request holds. */
        public long bytes() {
            return held;
        }

        /** Holds fewer bytes. */
        public void shrink(long fewer) {
            held -= fewer;
            ofTenants.computeIfPresent(tenant, (any, now) -> now == fewer ? null : now - fewer);
            bytes.addAndGet(-fewer);
        }

        @Override
        public void close() {
            shrink(held);
        }
    }
}
