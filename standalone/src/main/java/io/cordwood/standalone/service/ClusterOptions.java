package io.cordwood.standalone.service;

import java.net.URI;
import java.util.Optional;

/**
 * The addresses and sizes of a cluster whose services run alone. Immutable.
 *
 * @param flink address of the ingest job's Flink, for the balancer
 * @param jobManager {@code host:port} of the ingest job's JobManager, for TaskManagers that run as separate services
 * @param slots number of subtasks in a TaskManager; absent: one for each processor, at most four
 * @param coordinator address of the Trino coordinator, for workers that run as separate services
 * @param trino address of Trino, for the search service
 * @param address name or address under which the others of its cluster reach this service; absent: where it listens
 */
public record ClusterOptions(
        Optional<String> flink,
        Optional<String> jobManager,
        Optional<Integer> slots,
        Optional<URI> coordinator,
        Optional<String> trino,
        Optional<String> address) {}
