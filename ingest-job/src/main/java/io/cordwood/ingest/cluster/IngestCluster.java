package io.cordwood.ingest.cluster;

import io.cordwood.ingest.IngestFlags;
import io.cordwood.ingest.IngestJob;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.commit.FilesUnusableException;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.OpenResources;
import io.cordwood.options.Program;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * A Flink cluster in this process, with the dashboard, that runs the job. Thread-safe.
 *
 * <p>Its task managers may be separate processes: {@link IngestTaskManager}.
 *
 * <p>After a restart, whatever the reason, the job continues from its newest checkpoint; without one, from the given
 * savepoint, else from archived-through. All of these give every row exactly once, and differ only in how much is read
 * again. The cluster skips an unusable checkpoint by itself if Kafka still holds all rows above archived-through.
 */
public final class IngestCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestCluster.class);
    private static final long STOP_SECONDS = 20;
    private static final long RESTORE_CHECK_SECONDS = 2;
    private static final long ASK_AGAIN_SECONDS = 10;

    private final IngestOptions options;
    private final CheckpointLock lock;
    private final MiniCluster cluster;
    private volatile JobID job;
    private volatile boolean restored;
    private volatile boolean stopping;

    private IngestCluster(IngestOptions options, CheckpointLock lock, MiniCluster cluster) {
        this.options = options;
        this.lock = lock;
        this.cluster = cluster;
    }

    /** Runs until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("ingest", new Run(), Set.of(IngestException.class), arguments));
    }

    @Command(
            name = "IngestCluster",
            mixinStandardHelpOptions = true,
            description = "Ingests logs in a Flink cluster of its own.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private IngestFlags flags;

        @Override
        public Integer call() throws Exception {
            try (IngestCluster cluster = start(flags.options())) {
                Runtime.getRuntime().addShutdownHook(new Thread(cluster::stop, "stop"));
                System.out.printf("Ingesting; dashboard at %s%n", cluster.dashboard());
                cluster.await();
            }
            return 0;
        }
    }

    /**
     * Starts the cluster and the job.
     *
     * @throws IngestException if a precondition of the job is missing
     */
    public static IngestCluster start(IngestOptions options) throws Exception {
        Configuration configuration = configuration(options);
        String checkpoints = configuration.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
        // Stores are on the class path: there are no plugins.
        FileSystem.initialize(configuration, null);
        try (OpenResources opened = new OpenResources()) {
            CheckpointLock lock = opened.add(CheckpointLock.take(checkpoints));
            Optional<SavepointRestoreSettings> beginning = beginning(options, checkpoints);
            IngestJob.check(options);
            MiniCluster miniCluster = opened.add(cluster(options, configuration));
            miniCluster.start();
            IngestCluster cluster = new IngestCluster(options, lock, miniCluster);
            cluster.submit(beginning);
            opened.keep();
            return cluster;
        }
    }

    private static MiniCluster cluster(IngestOptions options, Configuration configuration) {
        if (!options.jobManager().isEmpty()) {
            return DistributedCluster.of(
                    configuration, JobManagerAddress.parse(options.jobManager()), options.restHost());
        }
        if (options.slots() > options.parallelism()) {
            // The default would leave the parallelism as it is.
            configuration.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
        }
        return new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(Math.max(options.parallelism(), options.slots()))
                .build());
    }

    private static Configuration configuration(IngestOptions options) {
        Configuration configuration = IngestJob.configuration(options);
        configuration.addAll(process(options.workDir()));
        options.clusterTls().forEach(configuration::setString);
        configuration.set(RestOptions.ADDRESS, options.restHost());
        configuration.set(RestOptions.BIND_ADDRESS, options.restHost());
        configuration.set(RestOptions.BIND_PORT, Integer.toString(options.restPort()));
        configuration.set(RestOptions.PORT, options.restPort());
        // The dashboard has no login: it is read-only.
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
        configuration.set(WebOptions.CANCEL_ENABLE, false);
        return configuration;
    }

    /** The settings of every process of a cluster. */
    static Configuration process(String workDir) {
        Configuration configuration = new Configuration();
        // Metrics are MBeans of this process, for any agent that exports them.
        configuration.setString(
                "metrics.reporter.jmx.factory.class", "org.apache.flink.metrics.jmx.JMXReporterFactory");
        if (!workDir.isEmpty()) {
            configuration.set(CoreOptions.TMP_DIRS, workDir);
            configuration.set(WebOptions.TMP_DIR, workDir);
        }
        return configuration;
    }

    /** The newest checkpoint, else the savepoint; empty for archived-through. */
    private static Optional<SavepointRestoreSettings> beginning(IngestOptions options, String checkpoints)
            throws IOException {
        Optional<String> checkpoint = CheckpointFinder.newest(
                checkpoints,
                () -> options.savepoint().isEmpty() ? IngestJob.lostWithoutCheckpoint(options) : Optional.empty());
        if (checkpoint.isPresent()) {
            if (!options.savepoint().isEmpty()) {
                LOG.warn(
                        "Not starting from savepoint {}, because there are checkpoints in {}",
                        options.savepoint(),
                        checkpoints);
            }
            return Optional.of(SavepointRestoreSettings.forPath(checkpoint.get(), false, RecoveryClaimMode.CLAIM));
        }
        if (options.savepoint().isEmpty()) {
            return Optional.empty();
        }
        String savepoint = IngestJob.uri(options.savepoint());
        Optional<String> damage = CheckpointFinder.damage(savepoint);
        if (damage.isPresent()) {
            throw new IngestException(
                    "Cannot start from savepoint %s: %s; give another one, or none to start from archived-through"
                            .formatted(savepoint, damage.get()));
        }
        // The operator keeps it, and may want to start from it again.
        return Optional.of(SavepointRestoreSettings.forPath(savepoint, false, RecoveryClaimMode.NO_CLAIM));
    }

    private void submit(Optional<SavepointRestoreSettings> beginning) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(IngestJob.configuration(options));
        IngestJob.build(environment, options);
        StreamGraph stream = environment.getStreamGraph();
        stream.setJobName("Cordwood ingest");
        JobGraph graph = stream.getJobGraph();
        beginning.ifPresent(graph::setSavepointRestoreSettings);
        LOG.info(
                "Starting the job from {}",
                beginning
                        .map(SavepointRestoreSettings::getRestorePath)
                        .orElse("archived-through: there is no checkpoint"));
        restored = beginning.isPresent();
        job = cluster.submitJob(graph).get().getJobID();
    }

    /** Address of Flink's dashboard and REST interface. */
    public URI dashboard() throws InterruptedException {
        try {
            return cluster.getRestAddress().get();
        } catch (ExecutionException e) {
            throw new IngestException(
                    "The dashboard did not start: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** The running job. */
    public JobID job() {
        return job;
    }

    /** The job's status. */
    public JobStatus status() throws InterruptedException {
        try {
            return cluster.getJobStatus(job).get();
        } catch (ExecutionException e) {
            throw new IngestException(
                    "Cannot read the job's status: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /**
     * Waits for the job to end.
     *
     * @throws IngestException if it failed for good
     */
    public void await() throws Exception {
        try {
            awaitEnd();
        } catch (Exception e) {
            // A stopping cluster may not respond.
            if (!stopping) {
                throw e;
            }
        }
    }

    private void awaitEnd() throws Exception {
        while (true) {
            RestoreWatch watch = new RestoreWatch(new WatchedJob());
            JobResult result = result(watch);
            if (stopping || result.isSuccess()) {
                return;
            }
            if (watch.givenUp()) {
                LOG.error(
                        "The checkpoint could not be restored {} times, as the failures above say; reading again from archived-through",
                        RestoreFailures.MOST);
            } else if (result.getJobStatus().equals(Optional.of(JobStatus.CANCELED))) {
                return;
            } else {
                requireUnusable(result);
            }
            submit(Optional.empty());
        }
    }

    /** The result of the job, once it has ended. */
    private JobResult result(RestoreWatch watch) throws Exception {
        CompletableFuture<JobResult> result = cluster.requestJobResult(job);
        while (true) {
            try {
                return result.get(RESTORE_CHECK_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (!stopping) {
                    watch.check();
                }
            }
        }
    }

    /** Returns only if the job failed because its checkpoint is unusable, and no row is lost without it. */
    private void requireUnusable(JobResult result) throws InterruptedException {
        Throwable failure = result.getSerializedThrowable()
                .map(serialized -> serialized.deserializeError(IngestCluster.class.getClassLoader()))
                .orElseGet(() -> new IngestException("for an unknown reason"));
        if (ExceptionUtils.findThrowable(failure, FilesUnusableException.class).isEmpty()) {
            throw new IngestException("The job failed: " + root(failure).getMessage(), failure);
        }
        Optional<String> lost = askWhatIsLost();
        if (lost.isPresent()) {
            String alarm =
                    "The checkpoint is unusable, but is kept, because without it rows would be lost: %s (%s); restore the missing files, or, to continue without the rows, start once with --accept-loss true"
                            .formatted(lost.get(), root(failure).getMessage());
            LOG.error(alarm);
            throw new IngestException(alarm, failure);
        }
        LOG.error("The checkpoint is unusable; reading again from archived-through", failure);
    }

    /** Waits until Kafka and the catalog answer: their answers decide whether rows are lost. */
    private Optional<String> askWhatIsLost() throws InterruptedException {
        while (true) {
            try {
                return IngestJob.lostWithoutCheckpoint(options);
            } catch (IngestException e) {
                if (stopping) {
                    throw e;
                }
                LOG.warn("Cannot determine whether Kafka still holds the rows of the checkpoint; asking again", e);
                TimeUnit.SECONDS.sleep(ASK_AGAIN_SECONDS);
            }
        }
    }

    /** The running job. */
    private final class WatchedJob implements RestoreWatch.Job {
        @Override
        public RestoreFailures failures() throws ExecutionException, InterruptedException {
            return RestoreFailures.of(cluster.getExecutionGraphInfo(job).get(), restored);
        }

        @Override
        public Optional<String> lostWithoutCheckpoint() {
            return IngestJob.lostWithoutCheckpoint(options);
        }

        @Override
        public void cancel() throws ExecutionException, InterruptedException {
            cluster.cancelJob(job).get();
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Takes a last checkpoint, so that the next start reads little again, and ends. */
    private void stop() {
        stopping = true;
        try {
            cluster.triggerCheckpoint(job).get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("Stopping without a last checkpoint: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /** Ends immediately. The newest checkpoint stays. */
    @Override
    public void close() {
        try {
            cluster.closeAsync().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The cluster did not end cleanly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.close();
        }
    }
}
