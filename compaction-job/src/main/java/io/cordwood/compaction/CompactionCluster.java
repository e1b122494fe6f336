package io.cordwood.compaction;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.compaction.job.Count;
import io.cordwood.identity.FlinkTls;
import io.cordwood.options.Port;
import io.cordwood.options.Program;
import io.cordwood.options.TlsFlags;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A Flink cluster in this process, with the dashboard, that runs the job. Thread-safe. */
public final class CompactionCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionCluster.class);
    private static final long STOP_SECONDS = 20;

    private final MiniCluster cluster;
    private volatile JobID job;
    private volatile boolean stopping;

    private CompactionCluster(MiniCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Runs until the process is asked to stop or, with {@code --once}, until one cycle ends. Fails with one line and
     * exit code 1.
     */
    public static void main(String[] arguments) {
        System.exit(Program.run("compaction", new Run(), Set.of(CompactionException.class), arguments));
    }

    @Command(
            name = "CompactionCluster",
            mixinStandardHelpOptions = true,
            description = "Merges LogBlocks in a Flink cluster of its own.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private CompactionFlags flags;

        @Option(
                names = "--rest-host",
                defaultValue = "127.0.0.1",
                description = "address of Flink's dashboard (default: ${DEFAULT-VALUE})")
        private String restHost;

        @Option(
                names = "--rest-port",
                defaultValue = "8082",
                converter = Port.class,
                description = "port of Flink's dashboard; 0 for a free one (default: ${DEFAULT-VALUE})")
        private int restPort;

        @Option(names = "--work-dir", defaultValue = "", description = "directory for temporary files")
        private String workDir;

        @Mixin
        private TlsFlags tls;

        @Override
        public Integer call() throws Exception {
            CompactionOptions options = flags.options();
            try (CompactionCluster cluster = start(options, restHost, restPort, workDir, tls())) {
                Runtime.getRuntime().addShutdownHook(new Thread(cluster::stop, "stop"));
                System.out.printf("Compacting; dashboard at %s%n", cluster.dashboard());
                Map<Count, Long> counts = cluster.await();
                if (options.isOnce()) {
                    System.out.println(summary(counts));
                    return counts.get(Count.MERGES_FAILED) + counts.get(Count.TABLES_FAILED) == 0 ? 0 : 1;
                }
                return 0;
            }
        }

        private Map<String, String> tls() throws IOException {
            if (tls.keystore().isEmpty()) {
                return Map.of();
            }
            Path own = tls.keystore().get();
            // Without authorities, only who has the same certificate may ask
            return FlinkTls.settings(own, tls.authorities().orElse(own));
        }
    }

    private static String summary(Map<Count, Long> counts) {
        return "%d tables, %d failed; %d LogBlocks expired; %d merges: %d LogBlocks of %d bytes became %d (%d dense) of %d bytes; %d rows, %d deleted rows removed; %d merges void, %d failed"
                .formatted(
                        counts.get(Count.TABLES),
                        counts.get(Count.TABLES_FAILED),
                        counts.get(Count.LOGBLOCKS_EXPIRED),
                        counts.get(Count.MERGES),
                        counts.get(Count.FILES_READ),
                        counts.get(Count.BYTES_READ),
                        counts.get(Count.FILES_WRITTEN),
                        counts.get(Count.FILES_DENSE),
                        counts.get(Count.BYTES_WRITTEN),
                        counts.get(Count.ROWS),
                        counts.get(Count.ROWS_REMOVED),
                        counts.get(Count.MERGES_VOID),
                        counts.get(Count.MERGES_FAILED));
    }

    /**
     * Starts the cluster and the job.
     *
     * @param restPort port of the dashboard; 0 for a free one
     * @param workDir directory for temporary files; empty for the system's
     * @throws CompactionException if the catalog cannot be reached
     */
    public static CompactionCluster start(CompactionOptions options, String restHost, int restPort, String workDir)
            throws Exception {
        return start(options, restHost, restPort, workDir, Map.of());
    }

    private static CompactionCluster start(
            CompactionOptions options, String restHost, int restPort, String workDir, Map<String, String> tls)
            throws Exception {
        try (CatalogClient catalog = CatalogClient.connect(options.catalogUri(), options.catalogProperties())) {
            options.streams().forEach(catalog::archivedThrough);
        } catch (CatalogException e) {
            throw new CompactionException(e.getMessage(), e);
        }
        Configuration configuration = CompactionJob.configuration(options);
        configuration.set(RestOptions.ADDRESS, restHost);
        configuration.set(RestOptions.BIND_ADDRESS, restHost);
        configuration.set(RestOptions.BIND_PORT, Integer.toString(restPort));
        configuration.set(RestOptions.PORT, restPort);
        // The dashboard has no login, so it must be read-only.
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
        configuration.set(WebOptions.CANCEL_ENABLE, false);
        // Metrics are MBeans of this process, so that any JMX agent can export them.
        configuration.setString(
                "metrics.reporter.jmx.factory.class", "org.apache.flink.metrics.jmx.JMXReporterFactory");
        if (!workDir.isEmpty()) {
            configuration.set(CoreOptions.TMP_DIRS, workDir);
            configuration.set(WebOptions.TMP_DIR, workDir);
        }
        tls.forEach(configuration::setString);
        MiniCluster miniCluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(options.parallelism())
                .build());
        CompactionCluster cluster = new CompactionCluster(miniCluster);
        try {
            miniCluster.start();
            cluster.submit(options);
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private void submit(CompactionOptions options) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(CompactionJob.configuration(options));
        CompactionJob.build(environment, options);
        StreamGraph stream = environment.getStreamGraph();
        stream.setJobName("Cordwood compaction");
        JobGraph graph = stream.getJobGraph();
        job = cluster.submitJob(graph).get().getJobID();
    }

    /** Address of Flink's dashboard and REST interface. */
    public URI dashboard() throws InterruptedException {
        try {
            return cluster.getRestAddress().get();
        } catch (ExecutionException e) {
            throw new CompactionException(
                    "The dashboard did not start: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /**
     * Waits for the job to end.
     *
     * @return its counters
     * @throws CompactionException if the job failed permanently
     */
    public Map<Count, Long> await() throws InterruptedException {
        JobResult result;
        try {
            result = cluster.requestJobResult(job).get();
        } catch (ExecutionException e) {
            if (stopping) {
                return counts(Map.of());
            }
            throw new CompactionException(
                    "Cannot query the job: " + e.getCause().getMessage(), e.getCause());
        }
        try {
            Map<String, Object> accumulators = result.toJobExecutionResult(CompactionCluster.class.getClassLoader())
                    .getAllAccumulatorResults();
            return counts(accumulators);
        } catch (Exception e) {
            if (stopping) {
                return counts(Map.of());
            }
            throw new CompactionException("The job failed: " + root(e).getMessage(), e);
        }
    }

    private static Map<Count, Long> counts(Map<String, Object> accumulators) {
        return Stream.of(Count.values()).collect(Collectors.toMap(count -> count, count ->
                (Long) accumulators.getOrDefault(count.metric(), 0L)));
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private void stop() {
        stopping = true;
        close();
    }

    /** Stops at once: a merge under way leaves its table unchanged. */
    @Override
    public void close() {
        try {
            cluster.closeAsync().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The cluster did not stop cleanly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
