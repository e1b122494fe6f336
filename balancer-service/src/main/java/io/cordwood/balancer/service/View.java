package io.cordwood.balancer.service;

import io.cordwood.balancer.plan.Plan;
import io.cordwood.routing.RoutingTable;
import java.util.Optional;
import java.util.Set;

/**
 * What a balancer knows of a stream after a round. Immutable.
 *
 * @param load traffic as measured
 * @param table the table in force
 * @param now what load that table brings; empty while the topic is not known
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
