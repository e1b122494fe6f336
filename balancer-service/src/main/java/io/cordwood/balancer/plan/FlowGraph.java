package io.cordwood.balancer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jgrapht.alg.flow.DinicMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.DirectedWeightedMultigraph;

/**
 * A flow network with one source and one sink, solved by JGraphT's Dinic: MaxFlowAlgorithm(G) of LogStore's Algorithm
 * 3. Not thread-safe.
 *
 * <p>Capacities are rounded to whole multiples of a small unit, so that flows add up exactly.
 */
final class FlowGraph {
    static final int SOURCE = 0;
    static final int SINK = 1;
    static final int FIRST = 2;

    /** Sums of this many units are exact in a double. */
    private static final double UNITS = 1e12;

    private final DirectedWeightedMultigraph<Integer, DefaultWeightedEdge> graph =
            new DirectedWeightedMultigraph<>(DefaultWeightedEdge.class);
    private final List<DefaultWeightedEdge> edges = new ArrayList<>();
    private final double unit;
    private Map<DefaultWeightedEdge, Double> flows = Map.of();

    /**
     * A graph without edges.
     *
     * @param vertices number of vertices, including source and sink
     * @param total largest possible flow
     */
    FlowGraph(int vertices, double total) {
        for (int v = 0; v < vertices; v++) {
            graph.addVertex(v);
        }
        unit = total > 0 ? total / UNITS : 1;
    }

    /** Adds an edge and returns its number. */
    int edge(int from, int to, double capacity) {
        DefaultWeightedEdge edge = graph.addEdge(from, to);
        graph.setEdgeWeight(edge, Math.max(0, Math.rint(Math.min(capacity / unit, UNITS))));
        edges.add(edge);
        return edges.size() - 1;
    }

    /** Finds a maximum flow and returns its value. */
    double solve() {
        var maximum = new DinicMFImpl<>(graph, 0.5).getMaximumFlow(SOURCE, SINK);
        flows = maximum.getFlowMap();
        return maximum.getValue() * unit;
    }

    /** The flow through an edge. */
    double flow(int edge) {
        return flows.get(edges.get(edge)) * unit;
    }
}
