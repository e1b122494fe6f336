package io.cordwood.standalone;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.standalone.service.StackOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that configure a stack. */
final class StackFlags {
    // Valid as a Kafka topic and as an SQL table. The dot is reserved for dead-letter topics.
    private static final Pattern STREAM = Pattern.compile("[a-z][a-z0-9_-]{0,199}");
    private static final Pattern COLUMNS = Pattern.compile(
            "[^,:=]+:(varchar|bigint|double|boolean|timestamp)(,[^,:=]+:(varchar|bigint|double|boolean|timestamp))*");
    private static final Pattern NAMES = Pattern.compile("[^,:=]+(,[^,:=]+)*");
    private static final Pattern ADDRESS = Pattern.compile("[^:,/ ]+:[0-9]{1,5}(,[^:,/ ]+:[0-9]{1,5})*");
    private static final Pattern ENDPOINT = Pattern.compile("https?://[^ /]+/?");
    private static final Pattern S3 = Pattern.compile("s3://[^/ ?#]+/[^/ ?#]+(/[^/ ?#]+)*/?");
    private static final Pattern URL = Pattern.compile("https?://[^ /]+(/[^ ]*)?");

    private static final Map<String, BalancerValue> BALANCER = Map.ofEntries(
            Map.entry("interval-ms", BalancerValue.whole(1, 1e9)),
            Map.entry("lease-ms", BalancerValue.whole(100, 1e9)),
            Map.entry("window-ms", BalancerValue.whole(1, 1e9)),
            Map.entry("stale-ms", BalancerValue.whole(1, 1e9)),
            Map.entry("hot-rounds", BalancerValue.whole(1, 1_000)),
            Map.entry("partition-capacity", BalancerValue.number(1, 1e15)),
            Map.entry("worker-capacity", BalancerValue.number(1, 1e15)),
            Map.entry("watermark", BalancerValue.number(0.01, 1)),
            Map.entry("max-partitions", BalancerValue.whole(0, 100_000)),
            Map.entry("max-workers", BalancerValue.whole(0, 1_024)),
            Map.entry("quotas", BalancerValue.flag()));

    private static final Pattern TIME = Pattern.compile("[0-9]{1,9} ?(ms|s|min|h|d)");
    private static final Pattern SIZE = Pattern.compile("[0-9]{1,9} ?(kb|mb|gb)");
    private static final Pattern SMALL_NUMBER = Pattern.compile("[1-9][0-9]?");
    private static final Map<String, Pattern> COMPACTION = Map.of(
            "interval", TIME,
            "target-size", SIZE,
            "budget", SIZE,
            "parallelism", SMALL_NUMBER,
            "zstd-level", SMALL_NUMBER,
            "snapshot-grace", TIME,
            "orphan-interval", TIME);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "the streams (default: logs)")
    private List<String> streams;

    @Option(
            names = "--columns",
            paramLabel = "STREAM=NAME:TYPE,...",
            description = "declares columns; types: varchar, bigint, double, boolean, timestamp")
    private List<String> columns = List.of();

    @Option(
            names = "--text",
            paramLabel = "STREAM=NAME,...",
            description = "the stream's text columns besides the usual names")
    private List<String> text = List.of();

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "8",
            description = "partitions of a new topic (default: 8)")
    private int partitions;

    @Option(
            names = "--max-age",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "approximate maximum time until a row that the job has read is in a LogBlock (default: 20)")
    private int maxAgeSeconds;

    @Option(names = "--default-tenant", paramLabel = "T", description = "the tenant of records that name none")
    private String defaultTenant;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "use this Kafka instead of an embedded one")
    private String kafka;

    @Option(names = "--redis", paramLabel = "URL", description = "use this Redis instead of an embedded one")
    private String redis;

    @Option(
            names = "--warehouse",
            paramLabel = "DIR|s3://BUCKET/PREFIX",
            description = "keep LogBlocks there instead of in the home")
    private String warehouse;

    @Option(
            names = "--s3-endpoint",
            paramLabel = "URL",
            description = "the S3 store of --warehouse, if it is not AWS; credentials come from AWS's default chain")
    private String s3Endpoint;

    @Option(
            names = "--s3-region",
            paramLabel = "NAME",
            description = "its region (default: AWS_REGION or the profile's)")
    private String s3Region;

    @Option(
            names = "--s3-path-style",
            description = "puts the bucket in the path, not in the host name; most stores other than AWS need this")
    private boolean s3PathStyle;

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
            names = "--catalog-db",
            paramLabel = "JDBC-URL",
            description = "use this database for the catalog (SQLite or PostgreSQL)")
    private String catalogDatabase;

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

    StackOptions options() {
        for (String stream : streams) {
            checkStream(stream);
            require(STREAM.matcher(stream).matches(), "--streams: %s is not a name (a-z, 0-9, _ and -)", stream);
        }
        require(partitions >= 1 && partitions <= 10_000, "--partitions: %s is not between 1 and 10000", partitions);
        require(
                maxAgeSeconds >= 1 && maxAgeSeconds <= 86_400,
                "--max-age: %s is not between 1 and 86400",
                maxAgeSeconds);
        if (defaultTenant != null) {
            TenantIds.check(spec, "--default-tenant", defaultTenant);
        }
        require(kafka == null || ADDRESS.matcher(kafka).matches(), "--kafka: %s is not host:port", kafka);
        require(
                redis == null || redis.startsWith("redis://") || redis.startsWith("rediss://"),
                "--redis: %s is not a redis:// URL",
                redis);
        require(
                catalogDatabase == null
                        || catalogDatabase.startsWith("jdbc:sqlite:")
                        || catalogDatabase.startsWith("jdbc:postgresql:"),
                "--catalog-db: %s is neither a jdbc:sqlite: nor a jdbc:postgresql: URL",
                catalogDatabase);
        requireLocation("--warehouse", warehouse);
        requireLocation("--checkpoint-dir", checkpointDir);
        require(
                s3Endpoint == null || ENDPOINT.matcher(s3Endpoint).matches(),
                "--s3-endpoint: %s is not an http(s) URL without a path",
                s3Endpoint);
        require(
                isS3(warehouse) || isS3(checkpointDir) || (s3Endpoint == null && s3Region == null && !s3PathStyle),
                "--s3-endpoint, --s3-region and --s3-path-style need --warehouse %s",
                "s3://BUCKET/PREFIX");
        require(catalog == null || URL.matcher(catalog).matches(), "--catalog: %s is not an http(s) URL", catalog);
        require(
                catalog == null || warehouse != null,
                "--catalog %s needs --warehouse with that catalog's warehouse",
                catalog);
        require(
                catalog == null || catalogDatabase == null,
                "--catalog-db %s is for an embedded catalog: omit it or --catalog",
                catalogDatabase);
        require(
                parallelism == null || (parallelism >= 1 && parallelism <= 128),
                "--parallelism: %s is not between 1 and 128",
                parallelism);
        require(
                kafkaProperties == null || Files.isReadable(kafkaProperties),
                "--kafka-properties: cannot read %s",
                kafkaProperties);
        require(kafkaProperties == null || kafka != null, "--kafka-properties %s needs --kafka", kafkaProperties);
        balancer.forEach((name, value) -> {
            require(BALANCER.containsKey(name), "--balancer: there is no option %s", name);
            BalancerValue expected = BALANCER.get(name);
            require(expected.holds(value), "--balancer: %s is not " + expected, name + "=" + value);
        });
        compaction.forEach((name, value) -> {
            require(COMPACTION.containsKey(name), "--compaction: there is no option %s", name);
            require(
                    COMPACTION.get(name).matcher(value).matches(),
                    "--compaction: %s is not such as 5min, 128mb or 4",
                    name + "=" + value);
        });
        return new StackOptions(
                streams,
                byStream("--columns", columns, COLUMNS),
                byStream("--text", text, NAMES),
                partitions,
                Duration.ofSeconds(maxAgeSeconds),
                Optional.ofNullable(defaultTenant),
                Optional.ofNullable(kafka),
                Optional.ofNullable(kafkaProperties).map(Path::toAbsolutePath),
                Optional.ofNullable(redis),
                Optional.ofNullable(warehouse).map(StackFlags::uri),
                new S3Settings(
                        Optional.ofNullable(s3Endpoint).map(URI::create), Optional.ofNullable(s3Region), s3PathStyle),
                Optional.ofNullable(checkpointDir).map(StackFlags::uri),
                Optional.ofNullable(catalogDatabase),
                Optional.ofNullable(catalog).map(url -> url.replaceFirst("/+$", "")),
                Optional.ofNullable(savepoint).map(StackFlags::uri),
                parallelism == null ? OptionalInt.empty() : OptionalInt.of(parallelism),
                iceberg,
                balancer,
                compaction);
    }

    private void checkStream(String stream) {
        try {
            StreamNames.checked(stream);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--streams: " + e.getMessage(), e);
        }
    }

    private Map<String, String> byStream(String option, List<String> values, Pattern list) {
        Map<String, String> byStream = new LinkedHashMap<>();
        for (String value : values) {
            int equals = value.indexOf('=');
            require(
                    equals > 0 && list.matcher(value.substring(equals + 1)).matches(),
                    option + ": cannot read %s",
                    value);
            String stream = value.substring(0, equals);
            require(streams.contains(stream), option + ": there is no stream %s", stream);
            byStream.merge(stream, value.substring(equals + 1), (before, more) -> before + "," + more);
        }
        return byStream;
    }

    private void requireLocation(String option, String location) {
        require(
                location == null
                        || S3.matcher(location).matches()
                        || location.startsWith("file:///")
                        || !location.contains("://"),
                option + ": %s is neither a directory nor s3://BUCKET/PREFIX",
                location);
    }

    private static boolean isS3(String location) {
        return location != null && S3Settings.isS3(location);
    }

    private void require(boolean condition, String message, Object value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value));
        }
    }

    private static String uri(String directory) {
        String uri = directory.contains("://")
                ? directory
                : "file://" + Path.of(directory).toAbsolutePath().normalize();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }
}
