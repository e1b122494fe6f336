package io.cordwood.balancer.service;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The operator's settings for the balancer. Immutable.
 *
 * @param kafka client properties, including {@code bootstrap.servers}; read-only
 * @param redis the Redis with the reports and the routing tables
 * @param flink address of Flink's REST interface; empty for none
 * @param streams streams to balance
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param interval time between two rounds
 * @param lease how long a dead balancer stays the leader
 * @param window time over which rates are means; also the least time from a new table to one made for a hot spot
 * @param stale age at which a report no longer counts
 * @param hotRounds consecutive rounds that make or end a hot spot
 * @param capacities capacity of partitions and workers
 * @param groupId consumer group whose offsets show the ingest job's progress
 * @param maxPartitions number of partitions up to which the balancer may extend a topic; 0: it adds none
 * @param maxWorkers number of subtasks up to which the balancer may scale the ingest job; 0: it adds none
 * @param quotas whether Kafka's client quotas hold tenants to their shares while the demand does not fit
 * @param access how the API is closed to others; absent: it is open
 */
public record BalancerOptions(
        Properties kafka,
        URI redis,
        String flink,
        List<String> streams,
        String host,
        int port,
        Duration interval,
        Duration lease,
        Duration window,
        Duration stale,
        int hotRounds,
        Capacities capacities,
        String groupId,
        int maxPartitions,
        int maxWorkers,
        boolean quotas,
        Optional<BalancerAccess> access) {
    public BalancerOptions {
        streams = List.copyOf(streams);
    }
}
