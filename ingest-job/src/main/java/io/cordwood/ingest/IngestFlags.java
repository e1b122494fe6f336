package io.cordwood.ingest;

import io.cordwood.catalog.option.CatalogFlags;
import io.cordwood.identity.FlinkTls;
import io.cordwood.ingest.builder.BuildOptions;
import io.cordwood.options.KafkaFlags;
import io.cordwood.options.Port;
import io.cordwood.options.Positive;
import io.cordwood.options.RedisFlags;
import io.cordwood.options.Size;
import io.cordwood.options.Time;
import io.cordwood.options.TlsFlags;
import io.cordwood.options.TrueOrFalse;
import io.cordwood.options.WholeNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The job's options on the command line. */
public final class IngestFlags {
    private static final Duration DEFAULT_SMALL_AGE = Duration.ofHours(1);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private StreamFlags streams;

    @Mixin
    private KafkaFlags kafka;

    @Mixin
    private CatalogFlags catalog;

    @Option(
            names = "--group-id",
            paramLabel = "NAME",
            defaultValue = "cordwood-ingest",
            description = "consumer group whose offsets show archived-through to lag tools (default: ${DEFAULT-VALUE})")
    private String groupId;

    @Option(
            names = "--warehouse",
            paramLabel = "URI",
            defaultValue = "",
            description = "location of the tables; if given, the job checks at start that it can write there")
    private String warehouse;

    @ArgGroup
    private RedisFlags redis;

    @Option(
            names = "--checkpoint-dir",
            required = true,
            paramLabel = "DIR",
            description = "location of checkpoints: a directory or URI")
    private String checkpointDir;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Interval.class,
            description = "time between checkpoints; rows are committed after each (default: ${DEFAULT-VALUE})")
    private Duration checkpointInterval;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            converter = Positive.class,
            description = "subtasks that read Kafka and build LogBlocks (default: ${DEFAULT-VALUE})")
    private int parallelism;

    @Option(
            names = "--flush-size",
            paramLabel = "SIZE",
            defaultValue = "64mb",
            converter = Bytes.class,
            description = "memory at which a tenant's rows of one partition are flushed (default: ${DEFAULT-VALUE})")
    private long flushBytes;

    @Option(
            names = "--small-size",
            paramLabel = "SIZE",
            defaultValue = "8mb",
            converter = Bytes.class,
            description =
                    "tenants with fewer bytes of rows wait for their time slot in --small-age, others for --min-age (default: ${DEFAULT-VALUE})")
    private long smallBytes;

    @Option(
            names = "--tiny-size",
            paramLabel = "SIZE",
            defaultValue = "128kb",
            converter = Bytes.class,
            description =
                    "tenants with fewer bytes of rows of one partition wait for their time slot in --max-age instead (default: ${DEFAULT-VALUE}, or --small-size if that is less)")
    private long tinyBytes;

    @Option(
            names = "--tiny-lag",
            paramLabel = "SIZE",
            defaultValue = "64mb",
            converter = Bytes.class,
            description =
                    "but not if more bytes than this were read from the partition past their first row (default: ${DEFAULT-VALUE})")
    private long tinyLagBytes;

    @Option(
            names = "--min-age",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = Wait.class,
            description =
                    "how long rows of a tenant with at least --small-size wait after they were read (default: ${DEFAULT-VALUE})")
    private Duration minAge;

    @Option(
            names = "--small-age",
            paramLabel = "TIME",
            converter = Age.class,
            description =
                    "maximum time that rows of a tenant with at least --tiny-size wait after they were read; each tenant has one time slot in this period (default: 1h, but from --min-age to --max-age)")
    private Duration smallAge;

    @Option(
            names = "--max-age",
            paramLabel = "TIME",
            defaultValue = "6h",
            converter = Age.class,
            description =
                    "maximum time that any rows wait after they were read; each tenant has one time slot in this period (default: ${DEFAULT-VALUE})")
    private Duration maxAge;

    @Option(
            names = "--max-lag",
            paramLabel = "SIZE",
            defaultValue = "1gb",
            converter = Bytes.class,
            description =
                    "bytes that may be read from a partition past a waiting row before the row is flushed (default: ${DEFAULT-VALUE})")
    private long maxLagBytes;

    @Option(
            names = "--max-aged-flushes",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Positive.class,
            description =
                    "maximum flushes by age, by lag, after a failure, or because too many rows wait, per checkpoint and subtask (default: ${DEFAULT-VALUE})")
    private int maxAgedFlushes;

    @Option(
            names = "--buffer-memory",
            paramLabel = "SIZE",
            defaultValue = "512mb",
            converter = Bytes.class,
            description =
                    "memory for rows of one task manager; when it is full, reading stops (default: ${DEFAULT-VALUE})")
    private long bufferBytes;

    @Option(
            names = "--max-waiting",
            paramLabel = "SIZE",
            defaultValue = "16gb",
            converter = Bytes.class,
            description =
                    "memory that the waiting rows of one task manager would take; above this limit, the job reads slowly (default: ${DEFAULT-VALUE})")
    private long maxWaitingBytes;

    @Option(
            names = "--flush-threads",
            paramLabel = "N",
            defaultValue = "1",
            converter = Positive.class,
            description = "LogBlocks that a subtask builds concurrently (default: ${DEFAULT-VALUE})")
    private int flushThreads;

    @Option(
            names = "--commit-threads",
            paramLabel = "N",
            defaultValue = "4",
            converter = Positive.class,
            description = "tables that a subtask commits to concurrently (default: ${DEFAULT-VALUE})")
    private int commitThreads;

    @Option(
            names = "--zstd-level",
            paramLabel = "N",
            defaultValue = "3",
            converter = ZstdLevel.class,
            description = "compression level of LogBlocks, 1 to 22 (default: ${DEFAULT-VALUE})")
    private int zstdLevel;

    @Option(
            names = "--outage-budget",
            paramLabel = "TIME",
            defaultValue = "24h",
            converter = Wait.class,
            description =
                    "duration of an outage that Kafka's retention must survive, in addition to --max-age (default: ${DEFAULT-VALUE})")
    private Duration outageBudget;

    @Option(
            names = "--discovery-interval",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Interval.class,
            description = "time between checks for new partitions (default: ${DEFAULT-VALUE})")
    private Duration discoveryInterval;

    @Option(
            names = "--accept-loss",
            arity = "1",
            paramLabel = "true|false",
            defaultValue = "false",
            converter = TrueOrFalse.class,
            description =
                    "continue although Kafka no longer holds rows that were never archived (default: ${DEFAULT-VALUE})")
    private boolean acceptLoss;

    @Option(
            names = "--require-tokens",
            arity = "0..1",
            paramLabel = "true|false",
            defaultValue = "false",
            fallbackValue = "true",
            converter = TrueOrFalse.class,
            description =
                    "refuse records without a good token for their tenant; needs a catalog with authentication (default: ${DEFAULT-VALUE})")
    private boolean requireTokens;

    @Option(
            names = "--savepoint",
            paramLabel = "DIR",
            defaultValue = "",
            description =
                    "cluster only: savepoint to start from while there is no checkpoint: a directory or URI; the job does not change it")
    private String savepoint;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "0",
            converter = Slots.class,
            description =
                    "cluster only: maximum subtasks that the running job can be given over Flink's REST interface, if more than --parallelism; they share the memory (default: ${DEFAULT-VALUE})")
    private int slots;

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            defaultValue = "",
            description = "cluster only: directory for temporary files and the live state")
    private String workDir;

    @Option(
            names = "--rest-host",
            defaultValue = "127.0.0.1",
            description = "cluster only: address of Flink's dashboard (default: ${DEFAULT-VALUE})")
    private String restHost;

    @Option(
            names = "--rest-port",
            defaultValue = "8081",
            converter = Port.class,
            description = "cluster only: port of Flink's dashboard; 0 for a free one (default: ${DEFAULT-VALUE})")
    private int restPort;

    @Option(
            names = "--job-manager",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description =
                    "cluster only: address at which separate task manager processes find the job (default: the only task manager is in this process)")
    private String jobManager;

    @Mixin
    private TlsFlags tls;

    /** The values. @throws ParameterException if they contradict each other or are malformed */
    public IngestOptions options() {
        StreamOptions streamOptions = streams.options();
        return new IngestOptions(
                kafka.properties(),
                streamOptions.streams(),
                catalog.uri(),
                catalog.properties(),
                warehouse,
                checkpointDir,
                savepoint,
                checkpointInterval,
                parallelism,
                slots,
                build(streamOptions),
                commitThreads,
                outageBudget,
                discoveryInterval,
                groupId,
                redis == null ? "" : redis.uri().toString(),
                acceptLoss,
                workDir,
                restHost,
                restPort,
                jobManager,
                tls());
    }

    private Map<String, String> tls() {
        if (tls.keystore().isEmpty()) {
            return Map.of();
        }
        Path own = tls.keystore().get();
        try {
            // Without authorities, only who has the same certificate may ask
            return FlinkTls.settings(own, tls.authorities().orElse(own));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--tls-keystore: " + e.getMessage(), e);
        }
    }

    private BuildOptions build(StreamOptions streamOptions) {
        try {
            return new BuildOptions(
                    streamOptions.policy().withRequireToken(requireTokens),
                    streamOptions.columns(),
                    flushBytes,
                    smallBytes,
                    Math.min(tinyBytes, smallBytes),
                    tinyLagBytes,
                    minAge,
                    smallAge(),
                    maxAge,
                    maxLagBytes,
                    maxAgedFlushes,
                    bufferBytes,
                    maxWaitingBytes,
                    flushThreads,
                    zstdLevel);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "the options are inconsistent: " + e.getMessage(), e);
        }
    }

    private Duration smallAge() {
        if (smallAge != null) {
            return smallAge;
        }
        Duration most = maxAge.compareTo(DEFAULT_SMALL_AGE) < 0 ? maxAge : DEFAULT_SMALL_AGE;
        return most.compareTo(minAge) < 0 ? minAge : most;
    }

    private static final class Bytes extends Size {}

    private static final class Age extends Time {
        Age() {
            super(Duration.ofMillis(1));
        }
    }

    private static final class Wait extends Time {
        Wait() {
            super(Duration.ZERO);
        }
    }

    private static final class Interval extends Time {
        Interval() {
            super(Duration.ofMillis(10));
        }
    }

    private static final class Slots extends WholeNumber {
        Slots() {
            super(0, Integer.MAX_VALUE);
        }
    }

    private static final class ZstdLevel extends WholeNumber {
        ZstdLevel() {
            super(1, 22);
        }
    }
}
