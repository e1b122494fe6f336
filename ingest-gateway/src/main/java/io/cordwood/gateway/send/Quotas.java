package io.cordwood.gateway.send;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.cordwood.gateway.refusal.RefusedException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Holds each tenant to its quota of bytes per second. What a tenant saves up in a second it may send at once; a request
 * that takes more makes the next ones wait. Thread-safe.
 */
public final class Quotas {
    private static final double NANOS = 1e9;
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private final LongSupplier clock;
    private final Cache<String, Account> accounts =
            Caffeine.newBuilder().expireAfterAccess(FORGOTTEN).build();

    public Quotas() {
        this(System::nanoTime);
    }

    /** @param clock time that passes, in nanoseconds */
    Quotas(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Checks that a tenant may send now.
     *
     * @param bytesPerSecond its quota
     * @throws RefusedException if it may not yet
     */
    public void requireSome(String tenant, long bytesPerSecond) {
        account(tenant, bytesPerSecond).requireSome(bytesPerSecond, clock.getAsLong());
    }

    /** Takes what a tenant has sent from what it may send. */
    public void spend(String tenant, long bytesPerSecond, long bytes) {
        account(tenant, bytesPerSecond).spend(bytesPerSecond, bytes, clock.getAsLong());
    }

    private Account account(String tenant, long bytesPerSecond) {
        return accounts.get(tenant, any -> new Account(bytesPerSecond, clock.getAsLong()));
    }

    /** What a tenant may send: below 0 after a large request. */
    private static final class Account {
        private double bytes;
        private long counted;

        Account(long bytes, long now) {
            this.bytes = bytes;
            counted = now;
        }

        private void earn(long bytesPerSecond, long now) {
            bytes = Math.min(
                    (double) bytesPerSecond, bytes + (double) bytesPerSecond * ((double) (now - counted) / NANOS));
            counted = now;
        }

        synchronized void requireSome(long bytesPerSecond, long now) {
            earn(bytesPerSecond, now);
            if (bytes < 0) {
                Duration wait = Duration.ofNanos((long) (-bytes / bytesPerSecond * NANOS));
                throw RefusedException.overQuota(
                        "The tenant sends more than its quota of %,d bytes per second: send again later"
                                .formatted(bytesPerSecond),
                        wait);
            }
        }

        synchronized void spend(long bytesPerSecond, long spent, long now) {
            earn(bytesPerSecond, now);
            bytes -= spent;
        }
    }
}
