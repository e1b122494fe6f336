package io.cordwood.standalone.service;

import java.net.URI;
import java.util.Optional;

/**
 * What services that run alone are told of their cluster. Immutable.
 *
 * @param flink address of the ingest job's Flink, for the balancer
 * @param jobManager {@code host:port} where TaskManagers that are services of their own find the ingest job's
 * @param slots how many subtasks a TaskManager takes; absent: one for each processor, four at most
 * @param coordinator where Trino's workers that are services of their own find their coordinator
 */
public record ClusterOptions(
        Optional<String> flink, Optional<String> jobManager, Optional<Integer> slots, Optional<URI> coordinator) {}
