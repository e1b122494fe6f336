package io.cordwood.routing;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The partitions that the records of each tenant go to (LogStore, section 4.1). Immutable.
 *
 * @param epoch name of a history of tables; empty for the epoch without a name. Only versions of the same epoch are
 *     compared: when Redis has lost its data, versions start again in another epoch
 * @param version grows with each new table of the epoch
 * @param stream stream and topic
 * @param routes routes by tenant id; the weights of a tenant sum to 1. A tenant that is absent goes by the hash of its
 *     key
 */
public record RoutingTable(String epoch, long version, String stream, Map<String, List<Route>> routes) {
    private static final double TOLERANCE = 1e-6;

    public RoutingTable {
        requireNonNull(epoch, "epoch is null");
        requireNonNull(stream, "stream is null");
        if (version < 0) {
            throw new IllegalArgumentException("The version of a routing table cannot be negative: " + version);
        }
        Map<String, List<Route>> copy = new LinkedHashMap<>();
        routes.forEach((tenant, tenantRoutes) -> copy.put(tenant, checked(tenant, tenantRoutes)));
        routes = Collections.unmodifiableMap(copy);
    }

    /** Creates a table of the epoch without a name. */
    public RoutingTable(long version, String stream, Map<String, List<Route>> routes) {
        this("", version, stream, routes);
    }

    /** Whether this table replaces the other one at a follower: it is later, or of another epoch. */
    public boolean replaces(RoutingTable other) {
        return !epoch.equals(other.epoch) || version > other.version;
    }

    /** A table that routes no tenant. */
    public static RoutingTable empty(String stream) {
        return new RoutingTable(0, stream, Map.of());
    }

    private static List<Route> checked(String tenant, List<Route> routes) {
        Set<Integer> partitions = new HashSet<>();
        double sum = 0;
        for (Route route : routes) {
            if (!partitions.add(route.partition())) {
                throw new IllegalArgumentException(
                        "Tenant '%s' has two routes to partition %d".formatted(tenant, route.partition()));
            }
            sum += route.weight();
        }
        if (Math.abs(sum - 1) > TOLERANCE) {
            throw new IllegalArgumentException(
                    "The weights of tenant '%s' sum to %s instead of 1".formatted(tenant, sum));
        }
        return List.copyOf(routes);
    }
}
