package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.identity.ServiceRole;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Flink with its dashboard and the ingest job, in one process or with TaskManagers that run as separate services. */
public final class FlinkService {
    static final String NAME = "flink";
    static final String MODULE = "standalone/flink-cluster";
    /** Buffers, Flink's own and Kafka's fetches. */
    private static final int HEAP_MEGABYTES = 896;
    /** A writing subtask takes three times the size of a flush. */
    private static final int SUBTASK_HEAP_MEGABYTES = 192;

    private static final int FEWEST_SUBTASKS = 2;
    private static final int TRIM_MILLIS = 10_000;
    private static final int MOST_SUBTASKS_BY_DEFAULT = 4;
    /** Of the job, and of one TaskManager. */
    public static final int MOST_SUBTASKS = 128;

    private static final long LONGEST_CHECKPOINT_SECONDS = 10;
    /** Kafka's consumer logs every value that is kept for the next poll as an error. */
    static final Map<String, String> LOG_LEVELS =
            Map.of("io.cordwood", "INFO", "org.apache.kafka.clients.consumer.internals.CompletedFetch", "OFF");

    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", LOG_LEVELS);

    /** The job's user in the catalog. */
    static final String INGEST = ServiceRole.INGEST.label();

    private FlinkService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            Optional<String> jobManager,
            String kafka,
            String redis,
            String catalog,
            String warehouse) {
        Set<String> dependencies = new HashSet<>();
        if (options.catalog().isEmpty()) {
            dependencies.add(CatalogService.NAME);
        }
        if (options.kafka().isEmpty()) {
            dependencies.add(KafkaService.NAME);
        }
        return new ServiceSpec(
                NAME,
                url(ports, options.secrets()),
                dependencies,
                () -> command(home, installation, ports, options, jobManager, kafka, redis, catalog, warehouse),
                () -> Probes.get(url(ports, options.secrets()) + "/jobs/overview", options.secrets())
                        .contains("\"RUNNING\""),
                () -> {},
                Duration.ofSeconds(45));
    }

    /** A JVM that runs subtasks of the job. */
    static JavaCommand java(Home home, String name, int subtasks) {
        return new JavaCommand(home, name)
                .heap(HEAP_MEGABYTES + Math.max(FEWEST_SUBTASKS, subtasks) * SUBTASK_HEAP_MEGABYTES)
                // Rows wait in large arrays. G1 would copy them, or mark the whole heap for them; pauses do not matter
                // here.
                .option("-XX:+UseParallelGC")
                // Without it, the C library would keep the memory that the compiler needed in its first minutes.
                .option("-XX:TrimNativeHeapInterval=" + TRIM_MILLIS);
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            Optional<String> jobManager,
            String kafka,
            String redis,
            String catalog,
            String warehouse)
            throws IOException {
        Path work = Files.createDirectories(home.temporary().resolve(NAME));
        long ageSeconds = options.smallAge().toSeconds();
        // Rows are committed with checkpoints, so two of them must fit into the age.
        long checkpointSeconds = Math.clamp(ageSeconds / 2, 1, LONGEST_CHECKPOINT_SECONDS);
        int parallelism =
                options.parallelism().orElseGet(() -> jobManager.isPresent() ? MOST_SUBTASKS : subtasksHere());
        return java(home, NAME, jobManager.isPresent() ? 0 : parallelism)
                .log4j(LOG)
                .metrics(MetricsExporter.INGEST, ports)
                .argument("--rest-host", ports.host())
                .argument("--rest-port", Integer.toString(ports.of(NAME)))
                .argument("--work-dir", work.toString())
                .argument("--bootstrap-servers", kafka)
                .argument("--catalog-uri", catalog)
                .arguments(RedisService.arguments(home, redis, Account.INGEST, options.secrets()))
                .arguments(tls(NAME, options.secrets()))
                .arguments(options.secrets().isPresent() ? List.of("--require-tokens") : List.of())
                .trust(options.secrets())
                .argument("--warehouse", warehouse)
                .argument("--checkpoint-dir", checkpoints(home, options, warehouse))
                .argument(
                        "--catalog-properties",
                        CatalogProperties.write(home, options.s3(), INGEST, options.secrets())
                                .toString())
                .argument("--savepoint", options.savepoint())
                .argument("--checkpoint-interval", checkpointSeconds + "s")
                .argument("--min-age", Math.max(1, ageSeconds / 2) + "s")
                .argument("--small-age", ageSeconds + "s")
                .argument("--max-age", options.maxAge().toSeconds() + "s")
                .argument("--parallelism", Integer.toString(parallelism))
                // There must be as many slots as the balancer may ask for.
                .argument("--slots", Integer.toString(options.maxWorkers()))
                .argument("--job-manager", jobManager)
                .argument(
                        "--kafka-properties",
                        options.kafkaProperties(Account.INGEST).map(Path::toString))
                .arguments(options.streamOptions().arguments())
                .service(installation, MODULE, "io.cordwood.ingest.cluster.IngestCluster");
    }

    private static String checkpoints(Home home, StackOptions options, String warehouse) {
        return options.checkpointDir()
                .orElseGet(() -> S3Settings.isS3(warehouse)
                        // Not inside the warehouse, where all files belong to tables.
                        ? warehouse + "-checkpoints"
                        : "file://" + home.data().resolve("checkpoints"));
    }

    /** The number of subtasks that suits this machine. */
    static int subtasksHere() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_SUBTASKS_BY_DEFAULT);
    }

    /** With them Flink speaks only to clients that this stack's authority knows. */
    static List<String> tls(String service, Optional<Secrets> secrets) {
        return secrets.map(own -> List.of(
                        "--tls-keystore",
                        own.certificate(service).toString(),
                        "--tls-authorities",
                        own.authorities().toString()))
                .orElse(List.of());
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
