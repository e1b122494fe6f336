package io.cordwood.query.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.search.TailTables.Followed;
import io.cordwood.query.search.TailTables.Read;
import io.cordwood.query.table.TableVersion;
import io.cordwood.services.Waiting;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The tables of tails, with a catalog that is as slow as a test wants. */
final class TailTablesTest {
    private static final String STREAM = "logs";

    /** A catalog whose answers about acme alone wait for a latch, once one is set. */
    private static final class SlowCatalog implements TailTables.Reader {
        private volatile CountDownLatch open = new CountDownLatch(0);
        private volatile boolean isAsked;
        private final AtomicInteger reads = new AtomicInteger();
        private volatile boolean isDown;

        @Override
        public Read read(Set<String> tenants) {
            if (tenants.equals(Set.of("acme"))) {
                isAsked = open.getCount() > 0;
                try {
                    open.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            reads.incrementAndGet();
            if (isDown) {
                throw new QueryException(QueryError.CATALOG_ERROR, "it is down");
            }
            Map<String, Followed> tables = new HashMap<>();
            tenants.forEach(tenant ->
                    tables.put(tenant, Followed.of(TableVersion.withoutTable(tenant, STREAM), TableOffsets.NONE)));
            return new Read(tables, Map.of());
        }
    }

    private final SlowCatalog catalog = new SlowCatalog();
    /** Added to the time. */
    private final AtomicLong laterNanos = new AtomicLong();

    private final TailTables tables = new TailTables(STREAM, catalog, () -> System.nanoTime() + laterNanos.get());

    @Test
    void aSlowCatalogHoldsNoRoundUp() throws InterruptedException {
        tables.require("acme");
        catalog.open = new CountDownLatch(1);
        awaitThatTheCatalogIsAsked();
        catalog.open.countDown();
        Waiting.until("the tables were read again", () -> catalog.reads.get() == 2);
    }

    /** Rounds go on, although each of them would wait if it asked by itself. */
    private void awaitThatTheCatalogIsAsked() throws InterruptedException {
        Waiting.until("the catalog is asked", () -> {
            assertThat(tables.current(Set.of("acme"))).containsKey("acme");
            return catalog.isAsked;
        });
    }

    @Test
    void aTenantThatIsAddedMeanwhileIsKept() throws InterruptedException {
        tables.require("acme");
        catalog.open = new CountDownLatch(1);
        awaitThatTheCatalogIsAsked();
        tables.require("globex");
        catalog.open.countDown();
        Waiting.until("the older answer came", () -> catalog.reads.get() == 3);
        assertThat(tables.current(Set.of("acme", "globex"))).containsKeys("acme", "globex");
        assertThat(catalog.reads.get()).as("no round asks by itself").isEqualTo(3);
    }

    @Test
    void roundsEndWhenTheCatalogHasNotAnsweredForLong() throws InterruptedException {
        tables.require("acme");
        catalog.isDown = true;
        laterNanos.set(TimeUnit.SECONDS.toNanos(50));
        Waiting.until("the tables were to be read again", () -> {
            assertThat(tables.current(Set.of("acme"))).containsKey("acme");
            return catalog.reads.get() > 1;
        });
        laterNanos.set(TimeUnit.SECONDS.toNanos(100));
        Waiting.until("a round fails", () -> failure(Set.of("acme")).isPresent());
        assertThat(failure(Set.of("acme")))
                .hasValueSatisfying(why -> assertThat(why).hasMessageContaining("down"));

        catalog.isDown = false;
        Waiting.until("the tables were read again", () -> {
            // A round asks, and a later one has the answer
            laterNanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
            return failure(Set.of("acme")).isEmpty();
        });
    }

    private Optional<QueryException> failure(Set<String> tenants) {
        try {
            assertThat(tables.current(tenants)).containsOnlyKeys(tenants);
            return Optional.empty();
        } catch (QueryException e) {
            return Optional.of(e);
        }
    }

    @Test
    void whoFollowsATenantIsToldThatItsTableCannotBeRead() {
        catalog.isDown = true;
        assertThatThrownBy(() -> tables.require("acme")).isInstanceOf(QueryException.class);
        catalog.isDown = false;
        tables.require("acme");
        int reads = catalog.reads.get();
        tables.require("acme");
        assertThat(catalog.reads.get()).isEqualTo(reads);
        catalog.isDown = true;
        assertThat(tables.current(Set.of("acme"))).containsKey("acme");
    }
}
