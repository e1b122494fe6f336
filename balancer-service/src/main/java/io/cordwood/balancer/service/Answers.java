package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.routing.Route;
import io.cordwood.routing.RoutingTable;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** JSON of the balancer's HTTP responses. Rates are bytes of record values per second. */
final class Answers {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Answers() {}

    static String load(View view, BalancerOptions options, boolean leader) {
        Load load = view.load();
        Capacities capacities = options.capacities();
        ObjectNode answer = JSON.createObjectNode()
                .put("stream", view.table().stream())
                .put("epoch", view.table().epoch())
                .put("version", view.table().version())
                .put("leader", leader)
                .put("at", load.atMillis())
                .put("watermark", capacities.watermark());
        view.now()
                .ifPresent(now -> answer.put("demand", now.demand())
                        .put("bound", now.bound())
                        .put("lambda", now.lambda())
                        .put("utilisation", now.utilisation()));
        ArrayNode tenants = answer.putArray("tenants");
        new TreeMap<>(load.tenants()).forEach((tenant, rate) -> {
            ObjectNode node = tenants.addObject()
                    .put("tenant", tenant)
                    .put("rows_per_second", rate.rows())
                    .put("bytes_per_second", rate.bytes());
            addRoutes(node, view.table().routes().getOrDefault(tenant, List.of()));
        });
        ArrayNode partitions = answer.putArray("partitions");
        new TreeMap<>(load.partitions())
                .forEach((number, partition) -> partitions
                        .addObject()
                        .put("partition", number)
                        .put("worker", partition.worker())
                        .put("bytes_per_second", partition.bytes())
                        .put("capacity", capacities.partitionBytes())
                        .put("records_per_second", partition.records())
                        .put("lag", partition.lag())
                        .put("hot", view.hot().contains(View.partitionName(number))));
        ArrayNode workers = answer.putArray("workers");
        load.workers()
                .forEach(worker -> workers.addObject()
                        .put("worker", worker.worker())
                        .put("bytes_per_second", worker.bytes())
                        .put("capacity", capacities.workerBytes())
                        .put("busy", worker.usage().busy())
                        .put("back_pressured", worker.usage().backPressured())
                        .put("hot", view.hot().contains(View.workerName(worker.worker()))));
        return answer.toString();
    }

    static String plan(Plan plan, RoutingTable before) {
        ObjectNode answer = JSON.createObjectNode()
                .put("stream", before.stream())
                .put("version_before", before.version())
                .put("demand", plan.demand())
                .put("admitted", plan.admitted())
                .put("bound", plan.bound())
                .put("lambda", plan.lambda())
                .put("utilisation", plan.utilisation())
                .put("tenants_changed", plan.changedTenants())
                .put("route_count", plan.routeCount());
        plan.scale()
                .ifPresent(scale -> answer.putObject("scale")
                        .put("factor", scale.factor())
                        .put("partitions", scale.partitions())
                        .put("workers", scale.workers()));
        ArrayNode tenants = answer.putArray("tenants");
        plan.tenants().forEach((tenant, tenantPlan) -> {
            ObjectNode node = tenants.addObject()
                    .put("tenant", tenant)
                    .put("demand", tenantPlan.demand())
                    .put("admitted", tenantPlan.admitted())
                    .put("decision", tenantPlan.decision().name().toLowerCase(Locale.ROOT))
                    .put("reason", plan.reason(tenant).orElse(""));
            addRoutes(node, tenantPlan.routes());
        });
        ArrayNode partitions = answer.putArray("partitions");
        plan.partitions()
                .forEach(partition -> partitions
                        .addObject()
                        .put("partition", partition.partition())
                        .put("worker", partition.worker())
                        .put("load", partition.load())
                        .put("capacity", partition.capacity()));
        ArrayNode workers = answer.putArray("workers");
        plan.workers()
                .forEach(worker -> workers.addObject()
                        .put("worker", worker.worker())
                        .put("load", worker.load())
                        .put("limit", worker.limit()));
        return answer.toString();
    }

    private static void addRoutes(ObjectNode node, List<Route> routes) {
        ArrayNode array = node.putArray("routes");
        routes.forEach(
                route -> array.addObject().put("partition", route.partition()).put("weight", route.weight()));
    }
}
