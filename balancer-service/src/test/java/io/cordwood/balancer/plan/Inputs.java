package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Inputs of plans, made up. */
final class Inputs {
    private Inputs() {}

    /** Workers with as many partitions each, dealt round-robin. */
    static Cluster cluster(int partitions, int workers, double partitionCapacity, double workerCapacity) {
        List<PartitionCapacity> capacities = new ArrayList<>();
        List<List<Integer>> served = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            served.add(new ArrayList<>());
        }
        for (int j = 0; j < partitions; j++) {
            capacities.add(new PartitionCapacity(j, partitionCapacity));
            served.get(j % workers).add(j);
        }
        List<WorkerCapacity> servers = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            servers.add(new WorkerCapacity("worker-" + k, workerCapacity, served.get(k)));
        }
        return new Cluster(capacities, servers, 0.85);
    }

    static List<TenantDemand> demands(Map<String, Double> demands) {
        return new TreeMap<>(demands)
                .entrySet().stream()
                        .map(demand -> new TenantDemand(demand.getKey(), demand.getValue()))
                        .toList();
    }

    /** Tenants as Zipf has them. */
    static List<TenantDemand> zipf(int tenants, double theta, double total) {
        double sum = 0;
        for (int i = 1; i <= tenants; i++) {
            sum += Math.pow(i, -theta);
        }
        List<TenantDemand> demands = new ArrayList<>();
        for (int i = 1; i <= tenants; i++) {
            demands.add(new TenantDemand("t" + i, total * Math.pow(i, -theta) / sum));
        }
        return demands;
    }

    /** Where tenants go without a table. */
    static Map<String, List<Route>> byHash(List<TenantDemand> demands, int partitions) {
        Map<String, List<Route>> routes = new HashMap<>();
        demands.forEach(demand ->
                routes.put(demand.tenant(), List.of(new Route(KeyHash.partition(demand.tenant(), partitions), 1))));
        return routes;
    }

    /** Anything: uneven partitions and workers, partitions without worker, silent tenants, any routes before. */
    static PlanInput any(long seed) {
        Random random = new Random(seed);
        int partitions = 1 + random.nextInt(random.nextBoolean() ? 6 : 40);
        int workers = 1 + random.nextInt(6);
        List<PartitionCapacity> capacities = new ArrayList<>();
        List<List<Integer>> served = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            served.add(new ArrayList<>());
        }
        boolean even = random.nextBoolean();
        for (int j = 0; j < partitions; j++) {
            capacities.add(
                    new PartitionCapacity(j, even ? 100 : random.nextInt(10) == 0 ? 0 : 20 + random.nextInt(200)));
            if (random.nextInt(12) > 0) {
                served.get(random.nextInt(workers)).add(j);
            }
        }
        List<WorkerCapacity> servers = new ArrayList<>();
        for (int k = 0; k < workers; k++) {
            servers.add(new WorkerCapacity(
                    "worker-" + k, even ? 500 : random.nextInt(8) == 0 ? 0 : random.nextInt(1500), served.get(k)));
        }
        Cluster cluster = new Cluster(capacities, servers, 0.5 + random.nextInt(51) / 100.0);
        double bound = new Network(cluster, List.of()).bound();
        int tenants = random.nextInt(60);
        double total = random.nextInt(10) == 0 ? 0 : bound * random.nextDouble() * 1.5;
        // Often equal demands: only then does it matter that names decide.
        double theta = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 1.5;
        List<TenantDemand> demands = zipf(tenants, theta, total).stream()
                .map(demand -> random.nextInt(10) == 0 ? new TenantDemand(demand.tenant(), 0) : demand)
                .toList();
        return new PlanInput(cluster, demands, anyRoutes(demands, partitions, random));
    }

    private static Map<String, List<Route>> anyRoutes(List<TenantDemand> demands, int partitions, Random random) {
        Map<String, List<Route>> routes = new HashMap<>();
        for (TenantDemand demand : demands) {
            int count = Math.min(partitions, random.nextInt(4) == 0 ? random.nextInt(4) : 1);
            List<Integer> targets = new ArrayList<>();
            while (targets.size() < count) {
                int target = random.nextInt(partitions);
                if (!targets.contains(target)) {
                    targets.add(target);
                }
            }
            if (count > 0) {
                double[] parts = random.doubles(count, 0.1, 1).toArray();
                double sum = Arrays.stream(parts).sum();
                List<Route> tenantRoutes = new ArrayList<>();
                for (int r = 0; r < count; r++) {
                    tenantRoutes.add(new Route(targets.get(r), parts[r] / sum));
                }
                routes.put(demand.tenant(), tenantRoutes);
            }
        }
        return routes;
    }

    /** The flow through every partition if tenants send these amounts by these routes. */
    static double[] loads(PlanInput input, Map<String, List<Route>> routes, Map<String, Double> amounts) {
        double[] loads = new double[input.cluster().partitions().size()];
        routes.forEach((tenant, tenantRoutes) ->
                tenantRoutes.forEach(route -> loads[route.partition()] += route.weight() * amounts.get(tenant)));
        return loads;
    }
}
