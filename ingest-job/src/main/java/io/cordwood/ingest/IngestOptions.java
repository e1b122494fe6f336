package io.cordwood.ingest;

import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.ingest.builder.BuildOptions;
import io.cordwood.ingest.builder.DeclaredColumns;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.MinRetention;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;
import redis.clients.jedis.util.JedisURIHelper;

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
        String jobManager)
        implements Serializable {
    public IngestOptions {
        streams = List.copyOf(streams);
        catalogProperties = Map.copyOf(catalogProperties);
    }

    /** Whether the arguments ask for help. */
    public static boolean wantsHelp(String... arguments) {
        return Arrays.asList(arguments).contains("--help");
    }

    /** The output of {@code --help}. */
    public static String help(String command) {
        return "Usage: %s --option value ...\n%s".formatted(command, Option.help());
    }

    /**
     * Reads {@code --option value ...}.
     *
     * @throws IngestException if an option is unknown, missing or malformed
     */
    public static IngestOptions parse(String... arguments) {
        Values values = new Values(arguments);
        Properties kafka = properties(values.text(Option.KAFKA_PROPERTIES), Option.KAFKA_PROPERTIES);
        kafka.setProperty("bootstrap.servers", values.text(Option.BOOTSTRAP_SERVERS));
        Map<String, String> catalogProperties = catalogProperties(values.text(Option.CATALOG_PROPERTIES));
        return new IngestOptions(
                kafka,
                values.streams(),
                values.uri(Option.CATALOG_URI),
                catalogProperties,
                values.text(Option.WAREHOUSE),
                values.text(Option.CHECKPOINT_DIR),
                values.text(Option.SAVEPOINT),
                values.duration(Option.CHECKPOINT_INTERVAL),
                values.positive(Option.PARALLELISM),
                values.notNegative(Option.SLOTS),
                values.build(),
                values.positive(Option.COMMIT_THREADS),
                values.duration(Option.OUTAGE_BUDGET),
                values.duration(Option.DISCOVERY_INTERVAL),
                values.text(Option.GROUP_ID),
                values.redis(),
                values.flag(Option.ACCEPT_LOSS),
                values.text(Option.WORK_DIR),
                values.text(Option.REST_HOST),
                values.port(Option.REST_PORT),
                values.text(Option.JOB_MANAGER));
    }

    /**
     * Reads the file that {@code --catalog-properties} names.
     *
     * @param file empty for none
     * @throws IngestException if it cannot be read
     */
    public static Map<String, String> catalogProperties(String file) {
        Properties properties = properties(file, Option.CATALOG_PROPERTIES);
        Map<String, String> byName = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> byName.put(name, properties.getProperty(name)));
        return byName;
    }

    /**
     * The minimum that Kafka must keep: the bytes that may be read past a waiting row, and the same again until its
     * flush is committed.
     */
    public MinRetention minRetention() {
        return new MinRetention(build.maxAge().plus(outageBudget), 2 * build.maxLagBytes());
    }

    private static Properties properties(String file, Option option) {
        Properties properties = new Properties();
        if (!file.isEmpty()) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                properties.load(reader);
            } catch (IOException e) {
                throw new IngestException("Option %s: cannot read %s: %s".formatted(option.flag(), file, e), e);
            }
        }
        return properties;
    }

    /** The values given, or the defaults. */
    private static final class Values {
        private final Map<Option, String> given = new EnumMap<>(Option.class);

        Values(String... arguments) {
            for (int i = 0; i < arguments.length; i += 2) {
                String flag = arguments[i];
                Option option = Option.byFlag(flag)
                        .orElseThrow(() -> new IngestException("Unknown option %s; see --help".formatted(flag)));
                if (i + 1 == arguments.length) {
                    throw new IngestException("Option %s needs a value; see --help".formatted(flag));
                }
                given.put(option, arguments[i + 1]);
            }
        }

        String text(Option option) {
            String value = given.get(option);
            return value != null
                    ? value
                    : option.defaultValue()
                            .orElseThrow(() ->
                                    new IngestException("Option %s is missing; see --help".formatted(option.flag())));
        }

        Duration duration(Option option) {
            try {
                return TimeUtils.parseDuration(text(option));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw malformed(option, "a time such as 10s, 5m or 1h", e);
            }
        }

        long bytes(Option option) {
            try {
                return MemorySize.parseBytes(text(option));
            } catch (IllegalArgumentException e) {
                throw malformed(option, "a size such as 64mb or 1gb", e);
            }
        }

        int positive(Option option) {
            int number = number(option, "a whole number above 0");
            if (number <= 0) {
                throw malformed(option, "a whole number above 0", null);
            }
            return number;
        }

        int notNegative(Option option) {
            int number = number(option, "a whole number from 0");
            if (number < 0) {
                throw malformed(option, "a whole number from 0", null);
            }
            return number;
        }

        int port(Option option) {
            int number = number(option, "a port");
            if (number < 0 || number > 65535) {
                throw malformed(option, "a port", null);
            }
            return number;
        }

        private int number(Option option, String expected) {
            try {
                return Integer.parseInt(text(option));
            } catch (NumberFormatException e) {
                throw malformed(option, expected, e);
            }
        }

        boolean flag(Option option) {
            return switch (text(option)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw malformed(option, "true or false", null);
            };
        }

        URI uri(Option option) {
            try {
                return URI.create(text(option));
            } catch (IllegalArgumentException e) {
                throw malformed(option, "an address such as http://127.0.0.1:8181", e);
            }
        }

        List<String> streams() {
            try {
                return Arrays.stream(text(Option.STREAMS).split(","))
                        .map(StreamNames::checked)
                        .toList();
            } catch (IllegalArgumentException e) {
                throw new IngestException("Option %s: %s".formatted(Option.STREAMS.flag(), e.getMessage()), e);
            }
        }

        String redis() {
            String url = text(Option.REDIS);
            if (!url.isEmpty() && !JedisURIHelper.isValid(URI.create(url))) {
                throw malformed(Option.REDIS, "an address such as redis://127.0.0.1:6379", null);
            }
            return url;
        }

        BuildOptions build() {
            DecodingPolicy policy =
                    DecodingPolicy.DEFAULT.withDefaultTenant(defaultTenant()).withTextColumns(textColumns());
            try {
                return new BuildOptions(
                        policy,
                        columns(),
                        bytes(Option.FLUSH_SIZE),
                        bytes(Option.SMALL_SIZE),
                        duration(Option.MIN_AGE),
                        duration(Option.MAX_AGE),
                        bytes(Option.MAX_LAG),
                        positive(Option.MAX_AGED_FLUSHES),
                        bytes(Option.BUFFER_MEMORY),
                        bytes(Option.MAX_WAITING),
                        positive(Option.FLUSH_THREADS),
                        positive(Option.ZSTD_LEVEL));
            } catch (IllegalArgumentException e) {
                throw new IngestException("Options are inconsistent: " + e.getMessage(), e);
            }
        }

        private String defaultTenant() {
            String tenant = text(Option.DEFAULT_TENANT);
            int bytes = tenant.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > TenantNames.MAX_ID_BYTES) {
                throw new IngestException("Option %s: an id has at most %d bytes, not %d"
                        .formatted(Option.DEFAULT_TENANT.flag(), TenantNames.MAX_ID_BYTES, bytes));
            }
            return tenant;
        }

        private DeclaredColumns columns() {
            try {
                return DeclaredColumns.parse(text(Option.COLUMNS));
            } catch (IllegalArgumentException e) {
                throw new IngestException("Option %s: %s".formatted(Option.COLUMNS.flag(), e.getMessage()), e);
            }
        }

        private Map<String, TextColumns> textColumns() {
            Map<String, TextColumns> columns = new HashMap<>();
            String text = text(Option.TEXT);
            for (String stream : text.isEmpty() ? new String[0] : text.split(";")) {
                String[] parts = stream.split("=", 2);
                if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                    throw malformed(Option.TEXT, "STREAM=name,name;STREAM=name", null);
                }
                Set<String> names = Set.copyOf(
                        Arrays.asList(parts[1].toLowerCase(Locale.ROOT).split(",")));
                columns.put(parts[0], TextColumns.withNames(names));
            }
            return columns;
        }

        private IngestException malformed(Option option, String expected, Exception cause) {
            return new IngestException(
                    "Option %s: '%s' is not %s".formatted(option.flag(), text(option), expected), cause);
        }
    }
}
