package io.cordwood.systemtests.token;

import io.cordwood.benchmarks.stack.RecordTokens;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * The tokens of all shippers: each producer has one for each tenant. A thread revokes and renews them at random times;
 * it repeats an order until the catalog has answered. A shipper goes on with its revoked token until it gets another.
 * Thread-safe.
 */
final class ShipperTokens implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    /** Between two changes, on average. */
    private static final int CHANGE_MILLIS = 900;

    private static final Duration LIFE = Duration.ofHours(2);
    /** Some tokens end by themselves while the run goes on. */
    private static final int SHORT_LIFE_SECONDS = 20;

    private final CatalogClient catalog;
    private final int tenants;
    private final Random random;
    private final AtomicReferenceArray<String> current;
    private final Map<String, Given> given = new ConcurrentHashMap<>();
    private final Map<String, Revocation> revocations = new ConcurrentHashMap<>();
    private final Thread changes = Thread.ofPlatform().name("tokens").unstarted(this::change);
    private volatile boolean stopped;

    /** A token that a shipper had, and when it ends by itself. */
    record Given(String id, int tenant, Instant expires) {}

    /** When the first order to revoke a token was sent, and when the catalog had answered one. */
    record Revocation(Instant ordered, Instant answered) {}

    /** @param catalog a connection of an operator */
    ShipperTokens(CatalogClient catalog, int producers, int tenants, Random random) {
        this.catalog = catalog;
        this.tenants = tenants;
        this.random = random;
        current = new AtomicReferenceArray<>(producers * tenants);
    }

    /** Registers tenants and users, gives each shipper a token, and begins to change them. */
    void start() throws InterruptedException {
        for (int tenant = 0; tenant < tenants; tenant++) {
            Tenant registered = Tenant.of(NumberedRow.tenantId(tenant));
            User user = User.person(user(tenant), Map.of(registered.id(), Set.of(TenantRole.WRITER)));
            untilAnswered(() -> {
                catalog.putTenant(registered);
                catalog.putUser(user);
                return user;
            });
        }
        for (int shipper = 0; shipper < current.length(); shipper++) {
            renew(shipper, LIFE);
        }
        changes.start();
    }

    private static String user(int tenant) {
        return NumberedRow.tenantId(tenant) + "-shipper";
    }

    /** The token that a producer has now for a tenant. */
    String current(int producer, int tenant) {
        return current.get(producer * tenants + tenant);
    }

    /** The tokens that shippers had. */
    Map<String, Given> given() {
        return Map.copyOf(given);
    }

    /** The revocation of each revoked token, by its id. */
    Map<String, Revocation> revocations() {
        return Map.copyOf(revocations);
    }

    private void change() {
        try {
            while (!stopped) {
                Thread.sleep(random.nextInt(2 * CHANGE_MILLIS));
                int shipper = random.nextInt(current.length());
                String id = given.get(current.get(shipper)).id();
                boolean isRevoked = revocations.containsKey(id);
                int choice = random.nextInt(4);
                if (!isRevoked && choice > 0) {
                    revoke(id);
                } else {
                    renew(shipper, choice == 1 ? Duration.ofSeconds(1 + random.nextInt(SHORT_LIFE_SECONDS)) : LIFE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void revoke(String id) throws InterruptedException {
        Instant ordered = Instant.now();
        untilAnswered(() -> {
            catalog.revokeToken(id);
            return id;
        });
        revocations.put(id, new Revocation(ordered, Instant.now()));
    }

    /** Gives a shipper another token; the one before stays as it is. */
    private void renew(int shipper, Duration life) throws InterruptedException {
        int tenant = shipper % tenants;
        IssuedToken token = untilAnswered(
                () -> catalog.createToken(user(tenant), RecordTokens.request(NumberedRow.tenantId(tenant), life)));
        given.put(token.token(), new Given(token.id(), tenant, token.expires()));
        current.set(shipper, token.token());
    }

    /** The catalog may be down. An order that it took and did not answer is sent again. */
    private <T> T untilAnswered(Supplier<T> order) throws InterruptedException {
        while (true) {
            try {
                return order.get();
            } catch (CatalogException e) {
                Thread.sleep(PAUSE);
            }
        }
    }

    /** Returns when the last order is answered. */
    @Override
    public void close() {
        stopped = true;
        try {
            changes.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
