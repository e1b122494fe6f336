package io.cordwood.balancer.plan;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Other weights on the routes that are there: what tenants with several routes have where too much is goes, by a
 * maximum flow, to their other routes, also by making way for one another. Not thread-safe.
 *
 * <p>Flows that fit stay: the maximum flow is sought in what they leave (the residual network), which only multi-route
 * tenants are part of; those with one route are a load that is given.
 */
final class Reweighting {
    private final Network network;
    private final Assignment flows;
    private final double[] admitted;
    private final Goal goal;
    private final boolean[] changed;
    private final double dust;
    private final int[] tenants;
    /** What tenants with several routes bring to each partition. */
    private final double[] movable;

    Reweighting(Network network, Assignment flows, double[] admitted, Goal goal, boolean[] changed, double dust) {
        this.network = network;
        this.flows = flows;
        this.admitted = admitted;
        this.goal = goal;
        this.changed = changed;
        this.dust = dust;
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
        if (missing > dust) {
            fillResidualNetwork(missing);
        }
    }

    private double missing(int tenant) {
        return Math.max(0, admitted[tenant] - flows.flow(tenant));
    }

    /** Takes away what is above the goal, of a worker's partitions where most is. */
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
                if (movable[j] - kept[j] > dust) {
                    flows.setFlow(i, r, flows.flow(i, r) * (kept[j] / movable[j]));
                    changed[i] = true;
                }
            }
        }
        for (int j = 0; j < kept.length; j++) {
            movable[j] = movable[j] - kept[j] > dust ? kept[j] : movable[j];
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
            double room = goal.ofWorker(k) - flows.workerLoad(k);
            for (int j : network.partitionsOf(k)) {
                graph.edge(firstPartition + j, firstWorker + k, goal.ofPartition(j) - flows.load(j));
                // Where a worker still has too much, tenants with one route must leave, so none may take their place.
                graph.edge(firstWorker + k, firstPartition + j, room < -dust ? 0 : movable[j]);
            }
            graph.edge(firstWorker + k, FlowGraph.SINK, room);
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
