package io.cordwood.balancer.plan;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * LogStore's Algorithm 3, a baseline for benchmarks: weights from a maximum flow, and new routes only where flow is
 * missing. The service uses {@link LevelPlanner}. Thread-safe.
 *
 * <p>While the flow is less than the demand, each hot tenant that lacks flow gets a route to the partition with the
 * most headroom. If no hot tenant lacks flow, every tenant that lacks some gets one: otherwise the paper's loop would
 * not end. Flow that fits nowhere stays where it was.
 */
public final class LogStorePlanner implements Planner {
    private static final double EPSILON = 1e-9;

    @Override
    public Plan plan(PlanInput input) {
        Network network = new Network(input.cluster(), input.demands());
        double[] amounts = network.demands();
        Assignment flows = Assignment.of(network, amounts, input.before());
        boolean[] changed = new boolean[network.tenants()];
        new Newcomers(network, flows).place(amounts, changed);
        Set<Integer> hot = new HotSpots(network, flows).tenants();
        if (!hot.isEmpty()) {
            schedule(network, flows, hot, changed);
        }
        return new PlanBuilder(network, input.before()).build(flows, amounts, changed);
    }

    /** TrafficSchedule() of Algorithm 3. */
    private static void schedule(Network network, Assignment flows, Set<Integer> hot, boolean[] changed) {
        double missing = maximise(network, flows);
        while (missing > EPSILON * network.totalDemand()) {
            Set<Integer> unsatisfied = unsatisfied(network, flows, hot);
            if (unsatisfied.isEmpty()) {
                unsatisfied = unsatisfied(network, flows, all(network));
            }
            if (!addEdges(network, flows, unsatisfied)) {
                break;
            }
            missing = maximise(network, flows);
        }
        for (int i = 0; i < network.tenants(); i++) {
            flows.removeBelow(i, flows.flow(i) > 0 ? EPSILON * network.demand(i) : -1);
            if (flows.flow(i) > 0) {
                double factor = network.demand(i) / flows.flow(i);
                for (int r = 0; r < flows.routes(i); r++) {
                    flows.setFlow(i, r, flows.flow(i, r) * factor);
                }
            }
        }
        Arrays.fill(changed, true);
    }

    private static Set<Integer> all(Network network) {
        Set<Integer> all = new TreeSet<>();
        for (int i = 0; i < network.tenants(); i++) {
            all.add(i);
        }
        return all;
    }

    private static Set<Integer> unsatisfied(Network network, Assignment flows, Set<Integer> tenants) {
        Set<Integer> unsatisfied = new TreeSet<>(tenants);
        unsatisfied.removeIf(i -> flows.flow(i) >= network.demand(i) * (1 - EPSILON));
        return unsatisfied;
    }

    /** Adds a route for each of these tenants where there is headroom. Returns whether any was added. */
    private static boolean addEdges(Network network, Assignment flows, Set<Integer> tenants) {
        // The intended flow of new routes counts as load, so that they do not all go to one partition.
        double[] meant = new double[network.partitions()];
        double[] meantOfWorker = new double[network.workers()];
        boolean added = false;
        for (int i : tenants) {
            int best = -1;
            double most = 0;
            for (int j = 0; j < network.partitions(); j++) {
                if (network.isUsable(j) && !flows.goesTo(i, j)) {
                    int k = network.workerOf(j);
                    double headroom = Math.min(
                            network.capacity(j) - flows.load(j) - meant[j],
                            network.limit(k) - flows.workerLoad(k) - meantOfWorker[k]);
                    if (headroom > most) {
                        most = headroom;
                        best = j;
                    }
                }
            }
            if (best >= 0) {
                double missing = Math.min(most, network.demand(i) - flows.flow(i));
                meant[best] += missing;
                meantOfWorker[network.workerOf(best)] += missing;
                flows.add(i, best, 0);
                added = true;
            }
        }
        return added;
    }

    /** Makes the flows a maximum flow over the existing routes; returns the missing flow. */
    private static double maximise(Network network, Assignment flows) {
        double demand = network.totalDemand();
        int firstPartition = FlowGraph.FIRST + network.tenants();
        int firstWorker = firstPartition + network.partitions();
        FlowGraph graph = new FlowGraph(firstWorker + network.workers(), demand);
        int[] firstEdge = new int[network.tenants()];
        for (int i = 0; i < network.tenants(); i++) {
            graph.edge(FlowGraph.SOURCE, FlowGraph.FIRST + i, network.demand(i));
            for (int r = 0; r < flows.routes(i); r++) {
                int edge = graph.edge(FlowGraph.FIRST + i, firstPartition + flows.partition(i, r), network.demand(i));
                firstEdge[i] = r == 0 ? edge : firstEdge[i];
            }
        }
        for (int j = 0; j < network.partitions(); j++) {
            if (network.isUsable(j)) {
                graph.edge(firstPartition + j, firstWorker + network.workerOf(j), network.capacity(j));
            }
        }
        for (int k = 0; k < network.workers(); k++) {
            graph.edge(firstWorker + k, FlowGraph.SINK, network.limit(k));
        }
        double value = graph.solve();
        for (int i = 0; i < network.tenants(); i++) {
            for (int r = 0; r < flows.routes(i); r++) {
                flows.setFlow(i, r, graph.flow(firstEdge[i] + r));
            }
        }
        return demand - value;
    }
}
