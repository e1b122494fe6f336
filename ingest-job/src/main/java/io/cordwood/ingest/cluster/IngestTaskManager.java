package io.cordwood.ingest.cluster;

import io.cordwood.identity.FlinkTls;
import io.cordwood.ingest.IngestJob;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.options.Positive;
import io.cordwood.options.Program;
import io.cordwood.options.PropertiesFile;
import io.cordwood.options.TlsFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.runtime.taskexecutor.TaskExecutorResourceUtils;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A task manager in a process of its own, for the job of an {@link IngestCluster} elsewhere, which provides everything
 * the job needs. It ends when it cannot register for some minutes.
 */
@Command(
        name = "IngestTaskManager",
        mixinStandardHelpOptions = true,
        description = "Runs subtasks of the ingest job for an IngestCluster elsewhere.")
public final class IngestTaskManager implements Callable<Integer> {
    private static final String ANY = "0.0.0.0";

    @Option(names = "--job-manager", required = true, description = "host:port, as given to the IngestCluster")
    private String jobManager;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description =
                    "address to listen on, and at which others reach this process; 0.0.0.0: the address that reaches the job manager (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(
            names = "--slots",
            defaultValue = "1",
            converter = Positive.class,
            description = "number of the job's subtasks to run (default: ${DEFAULT-VALUE})")
    private int slots;

    @Option(
            names = "--catalog-properties",
            paramLabel = "FILE",
            converter = PropertiesFile.Converter.class,
            description = "properties of an S3 store with checkpoints")
    private PropertiesFile catalogProperties = PropertiesFile.NONE;

    @Option(names = "--work-dir", defaultValue = "", description = "directory for temporary files and the live state")
    private String workDir;

    @Mixin
    private TlsFlags tls;

    private IngestTaskManager() {}

    /** Runs until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("ingest", new IngestTaskManager(), Set.of(IngestException.class), arguments));
    }

    @Override
    public Integer call() throws Exception {
        Configuration configuration = configuration();
        // Stores are on the class path: there are no plugins.
        FileSystem.initialize(configuration, null);
        return TaskManagerRunner.runTaskManager(
                configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
    }

    private Configuration configuration() throws IOException {
        Configuration configuration = IngestCluster.process(workDir);
        if (tls.keystore().isPresent()) {
            Path own = tls.keystore().get();
            FlinkTls.settings(own, tls.authorities().orElse(own)).forEach(configuration::setString);
        }
        configuration.addAll(IngestJob.checkpointStore(catalogProperties.values()));
        configuration.addAll(JobManagerAddress.parse(jobManager).configuration());
        configuration.set(TaskManagerOptions.BIND_HOST, host);
        if (!host.equals(ANY)) {
            configuration.set(TaskManagerOptions.HOST, host);
        }
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, slots);
        // The heap is the JVM's, and RocksDB's part equals that of a single-process cluster.
        return TaskExecutorResourceUtils.adjustForLocalExecution(configuration);
    }
}
