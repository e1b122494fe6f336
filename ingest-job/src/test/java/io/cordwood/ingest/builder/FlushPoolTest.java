package io.cordwood.ingest.builder;

import static io.cordwood.ingest.testing.Records.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.runtime.GroupedWork;
import io.cordwood.ingest.testing.MemoryTableStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlushPoolTest {
    private static final int TENANTS = 100;
    private static final int THREADS = 2;

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final FlushPool pool = new FlushPool(
            new FlushBuilder(storage, FlushOrders.OPTIONS), new MemoryBudget(1 << 30, 64 << 20), THREADS, "test");

    @AfterEach
    void close() {
        pool.close();
    }

    private static String tenant(int number) {
        return "tenant%d".formatted(number);
    }

    /** Flushes one row of each tenant at once, and returns the results. */
    private List<FlushPool.Result> flushAll() throws Exception {
        List<FlushOrder> orders = new ArrayList<>();
        for (int i = 0; i < TENANTS; i++) {
            orders.add(FlushOrders.order(tenant(i), List.of("{\"n\":%d}".formatted(i))));
        }
        CountDownLatch allWait = storage.hold();
        orders.forEach(pool::submit);
        allWait.countDown();
        List<FlushPool.Result> results = new ArrayList<>();
        while (!pool.isEmpty()) {
            results.add(pool.take());
        }
        return results;
    }

    private static List<String> tenants(List<FlushPool.Result> results) {
        return results.stream()
                .map(result -> result.order().tenant().tenantId())
                .toList();
    }

    @Test
    void tablesOfWaitingFlushesAreRequestedTogether() throws Exception {
        List<FlushPool.Result> results = flushAll();
        assertThat(tenants(results))
                .isEqualTo(IntStream.range(0, TENANTS)
                        .mapToObj(FlushPoolTest::tenant)
                        .toList());
        for (FlushPool.Result result : results) {
            storage.commit(result.order().tenant().tenantId(), STREAM, result.flushes());
        }
        for (int i = 0; i < TENANTS; i++) {
            assertThat(storage.values(tenant(i), STREAM, "n")).containsExactly(String.valueOf(i));
        }
        // Each thread took one flush before the others waited.
        assertThat(storage.ensured()).as("tables that were requested alone").isLessThanOrEqualTo(THREADS);
        assertThat(storage.declared()).allMatch(tables -> tables <= GroupedWork.SIZE);
    }

    @Test
    void aTenantThatFailsDoesNotStopOthers() throws Exception {
        storage.breakTenant(tenant(7));
        assertThat(flushAll().stream()
                        .filter(result -> result.failure().isPresent())
                        .map(result -> result.order().tenant().tenantId()))
                .containsExactly(tenant(7));
    }

    @Test
    void eachFlushRequestsItsTableIfThatFailsTogether() throws Exception {
        storage.refuseDeclarations(true);
        assertThat(flushAll()).allMatch(result -> result.failure().isEmpty());
        assertThat(storage.declared()).isNotEmpty();
        assertThat(storage.ensured()).isEqualTo(TENANTS);
    }
}
