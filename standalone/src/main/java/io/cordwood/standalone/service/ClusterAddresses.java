package io.cordwood.standalone.service;

import java.net.URI;
import java.util.Optional;

/**
 * Where services that run alone find others of a cluster. Immutable.
 *
 * @param flink address of the ingest job's Flink, for the balancer
 * @param jobManager {@code host:port} where TaskManagers that are services of their own find the ingest job's
 * @param coordinator where Trino's workers that are services of their own find their coordinator
 */
public record ClusterAddresses(Optional<String> flink, Optional<String> jobManager, Optional<URI> coordinator) {}
