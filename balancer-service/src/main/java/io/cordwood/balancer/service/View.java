package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.routing.RoutingTable;
import java.util.Optional;
import java.util.Set;

/**
 * A balancer's knowledge of a stream after a round. Immutable.
 *
 * @param load measured traffic
 * @param table the table in force
 * @param now load that the table brings; empty while the topic is unknown
 * @param hot names of hot partitions ({@code partition 3}) and workers ({@code worker 1})
 */
record View(Load load, RoutingTable table, Optional<Plan> now, Set<String> hot) {
    static View none(String stream) {
        return new View(Load.NONE, RoutingTable.empty(stream), Optional.empty(), Set.of());
    }

    static String partitionName(int partition) {
        return "partition " + partition;
    }

    static String workerName(String worker) {
        return "worker " + worker;
    }
}
