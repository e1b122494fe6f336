package io.cordwood.ingest.cluster;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.JobManagerOptions.SchedulerType;
import org.apache.flink.runtime.highavailability.HighAvailabilityServices;
import org.apache.flink.runtime.highavailability.HighAvailabilityServicesUtils;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.runtime.rpc.AddressResolution;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.util.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Flink cluster without a task manager in this process: task managers join from elsewhere, and may leave. The job
 * runs with as many subtasks as they have slots, up to its parallelism, and is redistributed when slots come or are
 * lost. Thread-safe.
 */
// Like Flink's MiniCluster, whose close may be interrupted
@SuppressWarnings("try")
final class DistributedCluster extends MiniCluster {
    private static final Logger LOG = LoggerFactory.getLogger(DistributedCluster.class);
    private static final Duration FOR_EVER = Duration.ofMillis(-1);
    /** A task manager is lost if it misses two of them; a late response has Flink's default timeout. */
    private static final Duration HEARTBEATS = Duration.ofSeconds(2);
    /** How long the job waits for more slots. */
    private static final Duration MORE_SLOTS = Duration.ofSeconds(5);

    private final RpcSystem rpc;

    private DistributedCluster(MiniClusterConfiguration configuration, RpcSystem rpc) {
        super(configuration, () -> Reference.owned(rpc));
        this.rpc = rpc;
    }

    /**
     * A cluster that is not started yet.
     *
     * @param address address at which task managers find it
     * @param bindHost listen address
     */
    static DistributedCluster of(Configuration base, JobManagerAddress address, String bindHost) {
        Configuration configuration = new Configuration(base);
        configuration.addAll(address.configuration());
        configuration.set(JobManagerOptions.BIND_HOST, bindHost);
        configuration.set(JobManagerOptions.SCHEDULER, SchedulerType.Adaptive);
        // Without any slot the job waits: otherwise it would fail for good, although task managers may be late.
        configuration.set(JobManagerOptions.SCHEDULER_SUBMISSION_RESOURCE_WAIT_TIMEOUT, FOR_EVER);
        configuration.set(JobManagerOptions.SCHEDULER_SUBMISSION_RESOURCE_STABILIZATION_TIMEOUT, MORE_SLOTS);
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, HEARTBEATS);
        return new DistributedCluster(
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(0)
                        .setRpcServiceSharing(RpcServiceSharing.DEDICATED)
                        .build(),
                RpcSystem.load(configuration));
    }

    /** Uses services at the configured address: embedded ones are visible only in their own process. */
    @Override
    protected HighAvailabilityServices createHighAvailabilityServices(Configuration configuration, Executor executor)
            throws Exception {
        return HighAvailabilityServicesUtils.createHighAvailabilityServices(
                configuration,
                executor,
                AddressResolution.NO_ADDRESS_RESOLUTION,
                rpc,
                error -> LOG.error("The cluster's services failed", error));
    }
}
