package io.cordwood.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.routing.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The load as the balancer measured it at one time, in bytes per second. Immutable.
 *
 * @param version of the routing table then in force
 * @param atMillis when it was measured
 * @param utilisation the highest of a partition or worker under that table
 */
record SeenLoad(
        long version,
        long atMillis,
        double utilisation,
        Map<String, Tenant> tenants,
        List<Partition> partitions,
        List<Worker> workers) {
    static final SeenLoad NONE = new SeenLoad(0, 0, 0, Map.of(), List.of(), List.of());

    record Tenant(double rate, List<Route> routes) {}

    record Partition(int number, String worker, double rate, double limit) {}

    record Worker(String name, double rate, double limit) {}

    /** Reads an answer of {@code GET /api/load}. */
    static SeenLoad parse(JsonNode answer) {
        Map<String, Tenant> tenants = new HashMap<>();
        answer.path("tenants")
                .forEach(tenant -> tenants.put(tenant.path("tenant").asText(), tenant(tenant)));
        double watermark = answer.path("watermark").asDouble();
        return new SeenLoad(
                answer.path("version").asLong(),
                answer.path("at").asLong(),
                answer.path("utilisation").asDouble(),
                Map.copyOf(tenants),
                answer.path("partitions")
                        .valueStream()
                        .map(partition -> new Partition(
                                partition.path("partition").asInt(),
                                partition.path("worker").asText(),
                                rate(partition),
                                partition.path("capacity").asDouble()))
                        .toList(),
                answer.path("workers")
                        .valueStream()
                        .map(worker -> new Worker(
                                worker.path("worker").asText(),
                                rate(worker),
                                worker.path("capacity").asDouble() * watermark))
                        .toList());
    }

    private static Tenant tenant(JsonNode tenant) {
        List<Route> routes = tenant.path("routes")
                .valueStream()
                .map(route -> new Route(
                        route.path("partition").asInt(), route.path("weight").asDouble()))
                .toList();
        return new Tenant(rate(tenant), routes);
    }

    private static double rate(JsonNode node) {
        return node.path("bytes_per_second").asDouble();
    }

    /** The routes of a tenant; none if the table does not know it. */
    List<Route> routes(String tenant) {
        return tenants.containsKey(tenant) ? tenants.get(tenant).routes() : List.of();
    }
}
