package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Flows from tenants to partitions while a plan is made, and the loads that follow from them. Not thread-safe. */
final class Assignment {
    private static final int[] NONE = {};
    private static final double[] NOTHING = {};

    private final Network network;
    private final int[][] partitions;
    private final double[][] flows;
    private final double[] partitionLoads;
    private final double[] workerLoads;

    Assignment(Network network) {
        this.network = network;
        partitions = new int[network.tenants()][];
        flows = new double[network.tenants()][];
        Arrays.fill(partitions, NONE);
        Arrays.fill(flows, NOTHING);
        partitionLoads = new double[network.partitions()];
        workerLoads = new double[network.workers()];
    }

    /**
     * The flows of a plan: each tenant's amount, divided by its weights. Leaves out flows to partitions without
     * capacity, and tenants that are not in the plan.
     */
    static Assignment of(Network network, double[] amounts, Map<String, List<Route>> plan) {
        Assignment assignment = new Assignment(network);
        for (int i = 0; i < network.tenants(); i++) {
            List<Route> routes = plan.get(network.tenant(i));
            if (routes != null) {
                assignment.take(i, amounts[i], routes);
            }
        }
        return assignment;
    }

    private void take(int tenant, double amount, List<Route> routes) {
        int count = 0;
        int[] usable = new int[routes.size()];
        double[] amounts = new double[routes.size()];
        for (Route route : routes) {
            int j = network.partitionIndex(route.partition());
            if (j >= 0 && network.isUsable(j)) {
                usable[count] = j;
                amounts[count] = amount * route.weight();
                count++;
            }
        }
        boolean all = count == routes.size();
        partitions[tenant] = all ? usable : Arrays.copyOf(usable, count);
        flows[tenant] = all ? amounts : Arrays.copyOf(amounts, count);
        for (int r = 0; r < count; r++) {
            addLoad(usable[r], amounts[r]);
        }
    }

    int routes(int tenant) {
        return partitions[tenant].length;
    }

    int partition(int tenant, int route) {
        return partitions[tenant][route];
    }

    double flow(int tenant, int route) {
        return flows[tenant][route];
    }

    double flow(int tenant) {
        double sum = 0;
        for (double flow : flows[tenant]) {
            sum += flow;
        }
        return sum;
    }

    double load(int partition) {
        return partitionLoads[partition];
    }

    double workerLoad(int worker) {
        return workerLoads[worker];
    }

    /** Sets the flow of an existing route. */
    void setFlow(int tenant, int route, double flow) {
        addLoad(partitions[tenant][route], flow - flows[tenant][route]);
        flows[tenant][route] = flow;
    }

    /** Adds flow to a partition, over a new route if the tenant has none there. */
    void add(int tenant, int partition, double flow) {
        for (int r = 0; r < partitions[tenant].length; r++) {
            if (partitions[tenant][r] == partition) {
                setFlow(tenant, r, flows[tenant][r] + flow);
                return;
            }
        }
        int count = partitions[tenant].length;
        partitions[tenant] = Arrays.copyOf(partitions[tenant], count + 1);
        flows[tenant] = Arrays.copyOf(flows[tenant], count + 1);
        partitions[tenant][count] = partition;
        flows[tenant][count] = flow;
        addLoad(partition, flow);
    }

    boolean goesTo(int tenant, int partition) {
        for (int j : partitions[tenant]) {
            if (j == partition) {
                return true;
            }
        }
        return false;
    }

    /** Removes a route and its flow; later routes move up. */
    void remove(int tenant, int route) {
        addLoad(partitions[tenant][route], -flows[tenant][route]);
        int count = partitions[tenant].length;
        int[] left = Arrays.copyOf(partitions[tenant], count - 1);
        double[] leftFlows = Arrays.copyOf(flows[tenant], count - 1);
        System.arraycopy(partitions[tenant], route + 1, left, route, count - route - 1);
        System.arraycopy(flows[tenant], route + 1, leftFlows, route, count - route - 1);
        partitions[tenant] = left;
        flows[tenant] = leftFlows;
    }

    /** Removes routes that carry at most {@code epsilon}. */
    void removeBelow(int tenant, double epsilon) {
        for (int r = partitions[tenant].length - 1; r >= 0; r--) {
            if (flows[tenant][r] <= epsilon) {
                remove(tenant, r);
            }
        }
    }

    private void addLoad(int partition, double flow) {
        int worker = network.workerOf(partition);
        if (worker != Network.NO_WORKER) {
            partitionLoads[partition] += flow;
            workerLoads[worker] += flow;
        }
    }

    /** The highest of f(P) / c(P) and f(D) / (alpha c(D)). */
    double utilisation() {
        double highest = 0;
        for (int j = 0; j < partitionLoads.length; j++) {
            if (partitionLoads[j] > 0) {
                highest = Math.max(highest, partitionLoads[j] / network.capacity(j));
            }
        }
        for (int k = 0; k < workerLoads.length; k++) {
            if (workerLoads[k] > 0) {
                highest = Math.max(highest, workerLoads[k] / network.limit(k));
            }
        }
        return highest;
    }
}
