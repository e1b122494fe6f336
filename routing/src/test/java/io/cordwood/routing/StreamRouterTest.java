package io.cordwood.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StreamRouterTest {
    private static final byte[] ACME = "acme".getBytes(UTF_8);
    private static final int RUN = 1000;

    private static StreamRouter router(long version, List<Route> routes) {
        StreamRouter router = new StreamRouter("logs", RUN);
        router.use(new RoutingTable(version, "logs", Map.of("acme", routes)));
        return router;
    }

    @Provide
    Arbitrary<List<Route>> routes() {
        return Arbitraries.integers()
                .between(1, 100)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(shares -> {
                    double sum = shares.stream().mapToInt(share -> share).sum();
                    List<Route> routes = new ArrayList<>();
                    for (int share : shares) {
                        routes.add(new Route(routes.size() * 2, share / sum));
                    }
                    return routes;
                });
    }

    @Property(tries = 200)
    void eachRouteCarriesItsShareOfBytes(
            @ForAll("routes") List<Route> routes, @ForAll List<@IntRange(min = 1, max = 3000) Integer> sizes) {
        StreamRouter router = router(1, routes);
        long[] bytes = new long[12];
        long total = 0;
        for (int round = 0; round < 200; round++) {
            for (int size : sizes) {
                bytes[router.partition(ACME, size, 12).orElseThrow()] += size;
                total += size;
            }
        }
        // No route is ever further from its share than the runs that are under way.
        long slack = 2L * routes.size() * (RUN + 3000);
        for (Route route : routes) {
            assertThat(bytes[route.partition()])
                    .isBetween((long) (route.weight() * total) - slack, (long) (route.weight() * total) + slack);
        }
    }

    @Property(tries = 100)
    void recordsStayTogetherForABatch(@ForAll("routes") List<Route> routes) {
        StreamRouter router = router(1, routes);
        int previous = -1;
        int changes = 0;
        for (int i = 0; i < 1000; i++) {
            int partition = router.partition(ACME, 100, 12).orElseThrow();
            changes += partition == previous ? 0 : 1;
            previous = partition;
        }
        assertThat(changes).isLessThanOrEqualTo(1000 * 100 / RUN);
    }

    @Test
    void routesToPartitionsThatDoNotExistAreIgnored() {
        StreamRouter router = router(1, List.of(new Route(0, 0.1), new Route(1, 0.1), new Route(7, 0.8)));
        int[] counts = new int[8];
        for (int i = 0; i < 1000; i++) {
            counts[router.partition(ACME, RUN, 2).orElseThrow()]++;
        }
        assertThat(counts).containsExactly(500, 500, 0, 0, 0, 0, 0, 0);
        // Once the partition exists its route is used.
        for (int i = 0; i < 1000; i++) {
            counts[router.partition(ACME, RUN, 8).orElseThrow()]++;
        }
        assertThat(counts[7]).isBetween(798, 802);
        assertThat(router(1, List.of(new Route(5, 1))).partition(ACME, 1, 5)).isEmpty();
    }

    @Test
    void aNewTableDoesNotSetBackTenantsWhoseRoutesStay() {
        List<Route> routes = List.of(new Route(0, 0.9), new Route(1, 0.1));
        StreamRouter router = router(1, routes);
        int[] counts = new int[2];
        for (int version = 2; version <= 1001; version++) {
            router.use(new RoutingTable(version, "logs", Map.of("acme", routes, "other" + version, routes)));
            counts[router.partition(ACME, RUN, 2).orElseThrow()]++;
        }
        assertThat(counts[1]).isBetween(98, 102);
    }

    @Test
    void producersBeginWithAnyRouteByItsWeight() {
        int[] counts = new int[2];
        for (int producer = 0; producer < 1000; producer++) {
            counts[
                    router(1, List.of(new Route(0, 0.5), new Route(1, 0.5)))
                            .partition(ACME, 1, 2)
                            .orElseThrow()]++;
        }
        assertThat(counts[0]).isBetween(300, 700);
    }

    @Test
    void tenantsThatAreNotInTheTableHaveNoRoute() {
        StreamRouter router = router(1, List.of(new Route(0, 1)));
        assertThat(router.partition("other".getBytes(UTF_8), 1, 2)).isEmpty();
        assertThat(new StreamRouter("logs", RUN).partition(ACME, 1, 2)).isEmpty();
    }

    @Test
    void olderTablesAreIgnored() {
        StreamRouter router = router(5, List.of(new Route(1, 1)));
        router.use(new RoutingTable(5, "logs", Map.of("acme", List.of(new Route(0, 1)))));
        router.use(new RoutingTable(4, "logs", Map.of("acme", List.of(new Route(0, 1)))));
        assertThat(router.version()).isEqualTo(5);
        assertThat(router.partition(ACME, 1, 2)).hasValue(1);
        router.use(new RoutingTable(6, "logs", Map.of()));
        assertThat(router.partition(ACME, 1, 2)).isEmpty();
    }

    /** In version v, tenants a and b both go to partition v: a reader of a and then b sees b no older than a. */
    @Test
    void tablesAreSwitchedWhole() throws Exception {
        StreamRouter router = new StreamRouter("logs", 1);
        int versions = 2000;
        CountDownLatch started = new CountDownLatch(2);
        try (AutoExecutor threads = new AutoExecutor(Executors.newFixedThreadPool(2))) {
            List<Future<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(threads.executor().submit(() -> {
                    started.countDown();
                    int newest = 0;
                    while (newest < versions) {
                        for (String tenant : List.of("a", "b")) {
                            int seen = router.partition(tenant.getBytes(UTF_8), 1, versions + 1)
                                    .orElse(0);
                            if (seen < newest) {
                                return false;
                            }
                            newest = seen;
                        }
                    }
                    return true;
                }));
            }
            started.await();
            for (int version = 1; version <= versions; version++) {
                List<Route> routes = List.of(new Route(version, 1));
                router.use(new RoutingTable(version, "logs", Map.of("a", routes, "b", routes)));
            }
            for (Future<Boolean> reader : readers) {
                assertThat(reader.get()).isTrue();
            }
        }
    }

    private record AutoExecutor(ExecutorService executor) implements AutoCloseable {
        @Override
        public void close() {
            executor.shutdownNow();
        }
    }

    @Test
    void recordsWithoutKeyStayTogetherForABatch() {
        StreamRouter router = new StreamRouter("logs", RUN);
        int[] candidates = {1, 3, 4};
        int[] counts = new int[5];
        int previous = -1;
        int changes = 0;
        for (int i = 0; i < 10_000; i++) {
            int partition = router.keylessPartition(candidates, 100);
            counts[partition]++;
            changes += partition == previous ? 0 : 1;
            previous = partition;
        }
        assertThat(changes).isLessThanOrEqualTo(1000);
        assertThat(counts[1] + counts[3] + counts[4]).isEqualTo(10_000);
        assertThat(counts[1]).isPositive();
        assertThat(counts[3]).isPositive();
        assertThat(counts[4]).isPositive();
        assertThat(router.keylessPartition(new int[] {2}, 1)).isEqualTo(2);
    }
}
