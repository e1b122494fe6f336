package io.cordwood.balancer.plan;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * New weights on existing routes: by a maximum flow, traffic of multi-route tenants moves from overloaded places to
 * their other routes, also where these must make way for one another. Not thread-safe.
 *
 * <p>Flows that fit stay. The maximum flow is found in the residual network, which has only multi-route tenants;
 * tenants with one route are a fixed load.
 */
final class FlowReweighting {
    private final Network network;
    private final Assignment flows;
    private final double[] admitted;
    private final Goal goal;
    private final boolean[] changed;
    private final double epsilon;
    private final int[] tenants;
    /** Flow that tenants with several routes bring to each partition. */
    private final double[] movable;

    FlowReweighting(
            Network network, Assignment flows, double[] admitted, Goal goal, boolean[] changed, double epsilon) {
        this.network = network;
        this.flows = flows;
        this.admitted = admitted;
        this.goal = goal;
        this.changed = changed;
        this.epsilon = epsilon;
        tenants = IntStream.range(0, network.tenants())
                .filter(i -> flows.routes(i) > 1 && admitted[i] > 0)
                .toArray();
        movable = new double[network.partitions()];
        for (int i : tenants) {
            for (int r = 0; r < flows.routes(i); r++) {
                movable[flows.partition(i, r)] += flows.flow(i, r);
            }
        }
    }

    void reweight() {
        if (tenants.length == 0) {
            return;
        }
        cut();
        double missing = Arrays.stream(tenants).mapToDouble(this::missing).sum();
        if (missing > epsilon) {
            fillResidualNetwork(missing);
        }
    }

    private double missing(int tenant) {
        return Math.max(0, admitted[tenant] - flows.flow(tenant));
    }

    /** Removes the flow above the goal, for a worker from its fullest partitions. */
    private void cut() {
        double[] kept = new double[network.partitions()];
        for (int k = 0; k < network.workers(); k++) {
            double level = WaterLevel.of(network, flows, k, goal);
            for (int j : network.partitionsOf(k)) {
                double fixed = flows.load(j) - movable[j];
                kept[j] = Math.clamp(level * network.capacity(j) - fixed, 0, movable[j]);
            }
        }
        for (int i : tenants) {
            for (int r = 0; r < flows.routes(i); r++) {
                int j = flows.partition(i, r);
                if (movable[j] - kept[j] > epsilon) {
                    flows.setFlow(i, r, flows.flow(i, r) * (kept[j] / movable[j]));
                    changed[i] = true;
                }
            }
        }
        for (int j = 0; j < kept.length; j++) {
            movable[j] = movable[j] - kept[j] > epsilon ? kept[j] : movable[j];
        }
    }

    private void fillResidualNetwork(double missing) {
        int firstPartition = FlowGraph.FIRST + tenants.length;
        int firstWorker = firstPartition + network.partitions();
        FlowGraph graph = new FlowGraph(firstWorker + network.workers(), missing);
        int[] firstEdge = new int[tenants.length];
        for (int t = 0; t < tenants.length; t++) {
            int i = tenants[t];
            int vertex = FlowGraph.FIRST + t;
            firstEdge[t] = 1 + graph.edge(FlowGraph.SOURCE, vertex, missing(i));
            for (int r = 0; r < flows.routes(i); r++) {
                graph.edge(vertex, firstPartition + flows.partition(i, r), missing);
                graph.edge(firstPartition + flows.partition(i, r), vertex, flows.flow(i, r));
            }
        }
        for (int k = 0; k < network.workers(); k++) {
            double headroom = goal.ofWorker(k) - flows.workerLoad(k);
            for (int j : network.partitionsOf(k)) {
                graph.edge(firstPartition + j, firstWorker + k, goal.ofPartition(j) - flows.load(j));
                // If a worker is still overloaded, tenants with one route must leave it, so no flow may take their
                // place.
                graph.edge(firstWorker + k, firstPartition + j, headroom < -epsilon ? 0 : movable[j]);
            }
            graph.edge(firstWorker + k, FlowGraph.SINK, headroom);
        }
        graph.solve();
        for (int t = 0; t < tenants.length; t++) {
            int i = tenants[t];
            for (int r = 0; r < flows.routes(i); r++) {
                double more = graph.flow(firstEdge[t] + 2 * r) - graph.flow(firstEdge[t] + 2 * r + 1);
                if (more != 0) {
                    flows.setFlow(i, r, Math.max(0, flows.flow(i, r) + more));
                    changed[i] = true;
                }
            }
        }
    }
}
