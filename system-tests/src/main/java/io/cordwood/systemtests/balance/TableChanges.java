package io.cordwood.systemtests.balance;

import io.cordwood.routing.Route;
import io.cordwood.routing.RoutingTable;
import io.cordwood.routing.RoutingTableStore;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** A sequence of valid but arbitrary routing tables, published beside those of the balancer. For one thread. */
final class TableChanges {
    private static final int MOST_ROUTES = 3;

    private final Lab lab;
    private final int tenants;
    private final int partitions;
    private final Random random;

    TableChanges(Lab lab, int tenants, int partitions, long seed) {
        this.lab = lab;
        this.tenants = tenants;
        this.partitions = partitions;
        this.random = new Random(seed);
    }

    /** Writes this number of versions, each with other routes for every tenant. */
    void force(int count, Duration pause) throws InterruptedException {
        try (RoutingTableStore store = new RoutingTableStore(URI.create(lab.redis()))) {
            int written = 0;
            while (written < count) {
                RoutingTable before = store.read(Lab.STREAM).orElseGet(() -> RoutingTable.empty(Lab.STREAM));
                RoutingTable next = new RoutingTable(before.epoch(), before.version() + 1, Lab.STREAM, routes());
                if (store.write(next)) { // Otherwise the balancer wrote this version first.
                    written++;
                    Thread.sleep(pause);
                }
            }
        }
    }

    private Map<String, List<Route>> routes() {
        Map<String, List<Route>> routes = new HashMap<>();
        List<Integer> shuffled =
                new ArrayList<>(IntStream.range(0, partitions).boxed().toList());
        for (int tenant = 0; tenant < tenants; tenant++) {
            Collections.shuffle(shuffled, random);
            int count = 1 + random.nextInt(MOST_ROUTES);
            routes.put(
                    NumberedRow.tenantId(tenant),
                    shuffled.subList(0, count).stream()
                            .map(partition -> new Route(partition, 1.0 / count))
                            .toList());
        }
        return routes;
    }
}
