package io.cordwood.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.routing.Route;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A version of the routing table that the balancer published to relieve a hot spot. Immutable.
 *
 * @param version its entry in the balancer's history
 * @param change the load right before and right after; empty if it was not observed
 */
record BalancerPlan(JsonNode version, Optional<Change> change) {
    private static final String HOT = "hot: ";

    /** The load under one version of the table, and under the next. */
    record Change(SeenLoad before, SeenLoad after) {}

    static boolean isAgainstHotSpot(JsonNode version) {
        return version.path("reason").asText().startsWith(HOT);
    }

    double utilisationBefore() {
        return version.path("utilisationBefore").asDouble();
    }

    /** Whether it is known to have changed the tenant's routes. */
    boolean moves(String tenant) {
        return change.isPresent()
                && !change.get()
                        .before()
                        .routes(tenant)
                        .equals(change.get().after().routes(tenant));
    }

    /** Prints load and routes before and after. */
    void print(String tenant, PrintWriter out) {
        out.printf(
                "%nthe balancer found a hot spot (%s) and published version %d of the routing table%n",
                version.path("reason").asText().substring(HOT.length()),
                version.path("version").asLong());
        change.ifPresent(seen -> {
            printLoad(seen, out);
            out.printf(
                    "  routes of %s: %s -> %s%n",
                    tenant,
                    partitions(seen.before().routes(tenant)),
                    partitions(seen.after().routes(tenant)));
        });
        out.printf(
                "  highest utilisation: %s -> %s; tenants with other routes: %d%n",
                percent(utilisationBefore()),
                percent(version.path("utilisationAfter").asDouble()),
                version.path("tenantsChanged").asInt());
    }

    /** The measured traffic, and the same traffic under the new routes. */
    private void printLoad(Change seen, PrintWriter out) {
        // The load that the plan was made for, unless the balancer has measured since then.
        boolean same = seen.after().atMillis() <= version.path("atMillis").asLong();
        SeenLoad measured = same ? seen.after() : seen.before();
        Map<Integer, Double> partitions = new HashMap<>();
        measured.tenants().forEach((tenant, load) -> {
            for (Route route : seen.after().routes(tenant)) {
                partitions.merge(route.partition(), load.rate() * route.weight(), Double::sum);
            }
        });
        Map<String, Double> workers = new HashMap<>();
        TextTable table = new TextTable(
                out,
                List.of(
                        new TextTable.Column("load", false),
                        new TextTable.Column("takes", true),
                        new TextTable.Column("before", true),
                        new TextTable.Column("after", true)));
        for (SeenLoad.Partition partition : measured.partitions()) {
            double after = partitions.getOrDefault(partition.number(), 0.0);
            workers.merge(partition.worker(), after, Double::sum);
            table.add(row("partition " + partition.number(), partition.limit(), partition.rate(), after));
        }
        for (SeenLoad.Worker worker : measured.workers()) {
            double after = workers.getOrDefault(worker.name(), 0.0);
            table.add(row("worker " + worker.name(), worker.limit(), worker.rate(), after));
        }
        table.finish();
    }

    private static List<String> row(String name, double limit, double before, double after) {
        return List.of(name, rate(limit), load(before, limit), load(after, limit));
    }

    private static String load(double rate, double limit) {
        return "%s %5s".formatted(rate(rate), percent(rate / limit));
    }

    private static String rate(double rate) {
        return "%.2f MB/s".formatted(rate / 1e6);
    }

    static String percent(double fraction) {
        return "%.0f %%".formatted(100 * fraction);
    }

    private static String partitions(List<Route> routes) {
        return routes.size() == 1
                ? "partition " + routes.getFirst().partition()
                : routes.stream()
                        .map(route -> "%d (%s)".formatted(route.partition(), percent(route.weight())))
                        .collect(Collectors.joining(", ", "partitions ", ""));
    }
}
