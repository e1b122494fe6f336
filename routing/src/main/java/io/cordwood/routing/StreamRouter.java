package io.cordwood.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the partitions of one stream's records by the newest routing table. Thread-safe: a table and its state are
 * switched together, so that no record is routed by two tables.
 */
final class StreamRouter {
    private final int runBytes;
    private volatile Version version;
    private int keylessPartition = -1;
    private int bytesOfKeylessRun;

    /** One table and the position of each of its tenants. */
    private record Version(RoutingTable table, ConcurrentHashMap<String, TenantRouter> tenants) {
        /** The next version: tenants whose routes are unchanged keep their position. */
        private Version next(RoutingTable later) {
            ConcurrentHashMap<String, TenantRouter> staying = new ConcurrentHashMap<>(tenants);
            staying.keySet().retainAll(later.routes().keySet());
            return new Version(later, staying);
        }
    }

    StreamRouter(String stream, int runBytes) {
        this.runBytes = runBytes;
        this.version = new Version(RoutingTable.empty(stream), new ConcurrentHashMap<>());
    }

    /** Switches to a table, unless a later one of its epoch is in use. */
    synchronized void use(RoutingTable table) {
        if (table.replaces(version.table())) {
            version = version.next(table);
        }
    }

    long version() {
        return version.table().version();
    }

    /** The partition of a tenant's record; empty if the tenant has no route to an existing partition. */
    OptionalInt partition(byte[] key, int recordBytes, int partitionCount) {
        Version current = version;
        String tenant = new String(key, UTF_8);
        List<Route> routes = current.table().routes().get(tenant);
        if (routes == null) {
            return OptionalInt.empty();
        }
        TenantRouter router = current.tenants()
                .compute(
                        tenant,
                        (id, known) -> known != null && known.isFor(routes, partitionCount)
                                ? known
                                : new TenantRouter(routes, partitionCount, runBytes));
        return router.isEmpty() ? OptionalInt.empty() : OptionalInt.of(router.partition(recordBytes));
    }

    /** The partition of a record without a key: any candidate, the same for about one batch. */
    synchronized int keylessPartition(int[] candidates, int recordBytes) {
        if (bytesOfKeylessRun >= runBytes || !contains(candidates, keylessPartition)) {
            keylessPartition = candidates[ThreadLocalRandom.current().nextInt(candidates.length)];
            bytesOfKeylessRun = 0;
        }
        bytesOfKeylessRun += recordBytes;
        return keylessPartition;
    }

    private static boolean contains(int[] candidates, int partition) {
        for (int candidate : candidates) {
            if (candidate == partition) {
                return true;
            }
        }
        return false;
    }
}
