package io.cordwood.gateway.send;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.refusal.RefusedException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Holds each tenant to its quota of bytes and rows per second. What a tenant saves up in a second it may send at once;
 * a request that takes more makes the next ones wait. Thread-safe.
 */
public final class Quotas {
    private static final double NANOS = 1e9;
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private final LongSupplier clock;
    private final ConcurrentMap<String, Account> accounts;

    public Quotas() {
        this(System::nanoTime);
    }

    /** @param clock time that passes, in nanoseconds */
    Quotas(LongSupplier clock) {
        this.clock = clock;
        // Not before the tenant may send again
        accounts = Caffeine.newBuilder()
                .ticker(clock::getAsLong)
                .expireAfter(Expiry.<String, Account>accessing(
                        (tenant, account) -> FORGOTTEN.plus(account.scarcest().waiting())))
                .build()
                .asMap();
    }

    /**
     * Checks that a tenant may send now.
     *
     * @throws RefusedException if it may not yet
     */
    public void requireSome(String tenant, Quota quota) {
        settle(tenant, quota, 0, 0, Account::requireSome);
    }

    /** Takes what a tenant has sent from what it may send. */
    public void spend(String tenant, Quota quota, long bytes, long rows) {
        settle(tenant, quota, bytes, rows, account -> {});
    }

    private void settle(String tenant, Quota quota, long bytes, long rows, Consumer<Account> check) {
        if (quota.equals(Quota.NONE)) {
            return;
        }
        accounts.compute(tenant, (any, known) -> {
            Account account = known == null ? new Account() : known;
            account.spend(quota, bytes, rows, clock.getAsLong());
            check.accept(account);
            return account;
        });
    }

    /** What a tenant may send. Not thread-safe. */
    private static final class Account {
        private final Allowance bytes = new Allowance("bytes");
        private final Allowance rows = new Allowance("rows");

        void requireSome() {
            Allowance scarcest = scarcest();
            if (scarcest.waiting().isPositive()) {
                throw RefusedException.overQuota(
                        "The tenant sends more than its quota of %s per second: send again later".formatted(scarcest),
                        scarcest.waiting());
            }
        }

        /** The one for which the tenant waits longest. */
        Allowance scarcest() {
            return bytes.waiting().compareTo(rows.waiting()) >= 0 ? bytes : rows;
        }

        void spend(Quota quota, long spentBytes, long spentRows, long now) {
            bytes.spend(quota.bytesPerSecond(), spentBytes, now);
            rows.spend(quota.rowsPerSecond(), spentRows, now);
        }
    }

    /** How much of a unit a tenant may send: below 0 after a large request. Not thread-safe. */
    private static final class Allowance {
        private final String unit;
        private OptionalLong perSecond = OptionalLong.empty();
        private double left;
        private long counted;

        Allowance(String unit) {
            this.unit = unit;
        }

        void spend(OptionalLong limit, long spent, long now) {
            if (limit.isPresent()) {
                double full = limit.getAsLong();
                // A limit that is new begins with a whole second's
                double saved = perSecond.isEmpty() ? full : left + full * ((double) (now - counted) / NANOS);
                left = Math.min(full, saved) - spent;
            }
            perSecond = limit;
            counted = now;
        }

        /** How long the tenant may not send. */
        Duration waiting() {
            return perSecond.isEmpty() || left >= 0
                    ? Duration.ZERO
                    : Duration.ofNanos((long) Math.ceil(-left * NANOS / perSecond.getAsLong()));
        }

        @Override
        public String toString() {
            return "%,d %s".formatted(perSecond.orElse(0), unit);
        }
    }
}
