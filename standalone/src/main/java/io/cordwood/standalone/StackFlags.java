package io.cordwood.standalone;

import io.cordwood.balancer.service.BalancerTuning;
import io.cordwood.catalog.option.IssuerFlags;
import io.cordwood.compaction.CompactionTuning;
import io.cordwood.gateway.GatewayTuning;
import io.cordwood.ingest.StreamFlags;
import io.cordwood.ingest.StreamOptions;
import io.cordwood.options.NamedValues;
import io.cordwood.options.RedisUri;
import io.cordwood.options.WholeNumber;
import io.cordwood.search.SearchTuning;
import io.cordwood.standalone.service.FlinkService;
import io.cordwood.standalone.service.StackOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that configure a stack. */
final class StackFlags {
    // Valid as a Kafka topic and as an SQL table. The dot is reserved for dead-letter topics.
    private static final Pattern STREAM = Pattern.compile("[a-z][a-z0-9_-]{0,199}");
    private static final Pattern ADDRESS = Pattern.compile("[^:,/ ]+:[0-9]{1,5}(,[^:,/ ]+:[0-9]{1,5})*");
    private static final Pattern URL = Pattern.compile("https?://[^ /]+(/[^ ]*)?");

    private static final int HOUR_SECONDS = 3600;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private StreamFlags streams;

    @Mixin
    private IssuerFlags issuer;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "8",
            converter = Partitions.class,
            description = "partitions of a new topic (default: ${DEFAULT-VALUE})")
    private int partitions;

    @Option(
            names = "--max-age",
            paramLabel = "SECONDS",
            defaultValue = "20",
            converter = MaxAge.class,
            description =
                    "approximate maximum time until a row that the job has read is in a LogBlock (default: ${DEFAULT-VALUE})")
    private int maxAgeSeconds;

    @Option(
            names = "--small-age",
            paramLabel = "SECONDS",
            converter = MaxAge.class,
            description =
                    "the same for rows of tenants that have at least 128 KB of them in memory (default: --max-age, but at most an hour)")
    private Integer smallAgeSeconds;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "use this Kafka instead of an embedded one")
    private String kafka;

    @Option(
            names = "--redis",
            paramLabel = "URL",
            converter = RedisUri.class,
            description = "use this Redis instead of an embedded one")
    private URI redis;

    @Mixin
    private WarehouseFlags warehouse;

    @Option(
            names = "--checkpoint-dir",
            paramLabel = "DIR|s3://BUCKET/PREFIX",
            description =
                    "keep the ingest job's checkpoints there (default: in the home; BUCKET/PREFIX-checkpoints of an S3 warehouse)")
    private String checkpointDir;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "client properties for that Kafka (SASL, TLS)")
    private Path kafkaProperties;

    @Option(
            names = "--catalog",
            paramLabel = "URL",
            description = "use this catalog service instead of an embedded one; --warehouse must name its warehouse")
    private String catalog;

    @Option(
            names = "--savepoint",
            paramLabel = "DIR",
            description = "start the ingest job from this savepoint if it has no checkpoint")
    private String savepoint;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            converter = Parallelism.class,
            description =
                    "subtasks of the ingest job (default: one for each processor, at most 4; with TaskManagers elsewhere: as many as they have slots)")
    private Integer parallelism;

    @Option(
            names = "--iceberg",
            description = "adds a Trino catalog iceberg: Trino's own Iceberg connector on the same tables")
    private boolean iceberg;

    @Option(
            names = "--balancer",
            paramLabel = "NAME=VALUE",
            description = "an option of the balancer, such as partition-capacity=1000000 (bytes/s);"
                    + " see docs/operate/balancer.md")
    private Map<String, String> balancer = Map.of();

    @Option(
            names = "--compaction",
            paramLabel = "NAME=VALUE",
            description = "an option of the compaction job, such as target-size=64mb or interval=5min;"
                    + " see docs/operate/compaction.md")
    private Map<String, String> compaction = Map.of();

    @Option(
            names = "--search",
            paramLabel = "NAME=VALUE",
            description =
                    "a bound or a cache of the search service, such as question-timeout=1min or max-scan-size=20gb;"
                            + " see docs/operate/search.md")
    private Map<String, String> search = Map.of();

    @Option(
            names = "--gateway",
            paramLabel = "NAME=VALUE",
            description = "a bound of the ingest gateway, such as max-in-flight=512mb; see docs/operate/gateway.md")
    private Map<String, String> gateway = Map.of();

    StackOptions options() {
        StreamOptions streamOptions = streams.options();
        for (String stream : streamOptions.streams()) {
            require(STREAM.matcher(stream).matches(), "--streams: %s is not a name (a-z, 0-9, _ and -)", stream);
        }
        require(kafka == null || ADDRESS.matcher(kafka).matches(), "--kafka: %s is not host:port", kafka);
        WarehouseFlags.requireLocation(spec, "--checkpoint-dir", checkpointDir);
        warehouse.check(spec, WarehouseFlags.isS3(checkpointDir));
        require(catalog == null || URL.matcher(catalog).matches(), "--catalog: %s is not an http(s) URL", catalog);
        require(
                catalog == null || warehouse.location().isPresent(),
                "--catalog %s needs --warehouse with that catalog's warehouse",
                catalog);
        require(
                catalog == null || warehouse.catalogDatabase().isEmpty(),
                "--catalog-db %s is for an embedded catalog: omit it or --catalog",
                warehouse.catalogDatabase().orElse(""));
        require(
                kafkaProperties == null || Files.isReadable(kafkaProperties),
                "--kafka-properties: cannot read %s",
                kafkaProperties);
        require(kafkaProperties == null || kafka != null, "--kafka-properties %s needs --kafka", kafkaProperties);
        check("--balancer", new BalancerTuning(), balancer);
        check("--compaction", new CompactionTuning(), compaction);
        check("--search", new SearchTuning(), search);
        check("--gateway", new GatewayTuning(), gateway);
        require(
                smallAgeSeconds == null || smallAgeSeconds <= maxAgeSeconds,
                "--small-age %s is above --max-age " + maxAgeSeconds,
                smallAgeSeconds);
        return new StackOptions(
                streamOptions,
                partitions,
                Duration.ofSeconds(smallAgeSeconds == null ? Math.min(maxAgeSeconds, HOUR_SECONDS) : smallAgeSeconds),
                Duration.ofSeconds(maxAgeSeconds),
                Optional.ofNullable(kafka),
                Optional.ofNullable(kafkaProperties).map(Path::toAbsolutePath),
                Optional.ofNullable(redis).map(URI::toString),
                warehouse.location(),
                warehouse.s3(),
                Optional.ofNullable(checkpointDir).map(WarehouseFlags::uri),
                warehouse.catalogDatabase(),
                Optional.ofNullable(catalog).map(url -> url.replaceFirst("/+$", "")),
                Optional.ofNullable(savepoint).map(WarehouseFlags::uri),
                parallelism == null ? OptionalInt.empty() : OptionalInt.of(parallelism),
                iceberg,
                balancer,
                compaction,
                search,
                gateway,
                Optional.empty(),
                issuer.settings());
    }

    /** Here too, because a component checks its options only after the stack has begun to start. */
    private void check(String option, Object mixin, Map<String, String> values) {
        try {
            NamedValues.set(mixin, values);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "%s: %s".formatted(option, e.getMessage()), e);
        }
    }

    private void require(boolean condition, String message, Object value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value));
        }
    }

    private static final class Partitions extends WholeNumber {
        Partitions() {
            super(1, 10_000);
        }
    }

    private static final class MaxAge extends WholeNumber {
        MaxAge() {
            super(1, 86_400);
        }
    }

    private static final class Parallelism extends WholeNumber {
        Parallelism() {
            super(1, FlinkService.MOST_SUBTASKS);
        }
    }
}
