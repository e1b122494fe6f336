package io.cordwood.ingest;

import io.cordwood.ingest.builder.BuildOptions;
import io.cordwood.ingest.source.MinRetention;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The operator's settings of the job. Immutable.
 *
 * @param kafka Kafka client properties, {@code bootstrap.servers} among them; must not be changed
 * @param streams streams to ingest
 * @param catalogUri address of the catalog service
 * @param catalogProperties properties of the catalog client and of object storage
 * @param warehouse location of the tables, checked at start; may be empty
 * @param checkpointDir directory of checkpoints
 * @param savepoint savepoint to start from while there is no checkpoint; empty for archived-through
 * @param checkpointInterval time between checkpoints
 * @param parallelism subtasks of the source and of the builder; an upper limit if task managers are separate processes
 * @param slots maximum number of subtasks that the running job can be given, if larger than its parallelism
 * @param build settings of the builder
 * @param commitThreads number of tables that a subtask commits to concurrently
 * @param outageBudget duration of an outage that Kafka's retention must survive
 * @param discoveryInterval time between checks for new partitions
 * @param groupId consumer group whose offsets show archived-through
 * @param redis target of traffic reports and of statistics of unarchived rows; empty for none
 * @param acceptLoss whether the operator gives up rows that Kafka no longer holds
 * @param workDir directory for temporary files and the live state; empty for the system's
 * @param restHost address of Flink's dashboard
 * @param restPort port of Flink's dashboard; 0 for a free one
 * @param jobManager {@code host:port} at which separate task manager processes find the job; empty if the only task
 *     manager is in the cluster's process
 * @param clusterTls Flink's settings for TLS of the cluster itself; empty for none
 */
public record IngestOptions(
        Properties kafka,
        List<String> streams,
        URI catalogUri,
        Map<String, String> catalogProperties,
        String warehouse,
        String checkpointDir,
        String savepoint,
        Duration checkpointInterval,
        int parallelism,
        int slots,
        BuildOptions build,
        int commitThreads,
        Duration outageBudget,
        Duration discoveryInterval,
        String groupId,
        String redis,
        boolean acceptLoss,
        String workDir,
        String restHost,
        int restPort,
        String jobManager,
        Map<String, String> clusterTls) {
    public IngestOptions {
        streams = List.copyOf(streams);
        catalogProperties = Map.copyOf(catalogProperties);
        clusterTls = Map.copyOf(clusterTls);
    }

    /**
     * The minimum that Kafka must keep: the bytes that may be read past a waiting row, and the same again until its
     * flush is committed.
     */
    public MinRetention minRetention() {
        return new MinRetention(build.maxAge().plus(outageBudget), 2 * build.maxLagBytes());
    }
}
