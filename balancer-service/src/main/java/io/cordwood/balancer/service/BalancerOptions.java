package io.cordwood.balancer.service;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * The operator's settings for the balancer. Immutable.
 *
 * @param kafka client properties, including {@code bootstrap.servers}; read-only
 * @param redis the Redis with the reports and the routing tables
 * @param flink address of Flink's REST interface; empty for none
 * @param streams streams to balance
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param interval time between two rounds
 * @param lease how long a dead balancer stays the leader
 * @param window time over which rates are means; also the least time from a new table to one made for a hot spot
 * @param stale age at which a report no longer counts
 * @param hotRounds consecutive rounds that make or end a hot spot
 * @param capacities capacity of partitions and workers
 * @param groupId consumer group whose offsets show the ingest job's progress
 * @param maxPartitions number of partitions up to which the balancer may extend a topic; 0: it adds none
 * @param maxWorkers number of subtasks up to which the balancer may scale the ingest job; 0: it adds none
 * @param quotas whether Kafka's client quotas hold tenants to their shares while the demand does not fit
 */
public record BalancerOptions(
        Properties kafka,
        URI redis,
        String flink,
        List<String> streams,
        String host,
        int port,
        Duration interval,
        Duration lease,
        Duration window,
        Duration stale,
        int hotRounds,
        Capacities capacities,
        String groupId,
        int maxPartitions,
        int maxWorkers,
        boolean quotas) {
    /** The output of {@code --help}. */
    public static final String USAGE = """
            Usage: Balancer --option value ...
              --bootstrap-servers     Kafka brokers, host:port,... (required)
              --redis                 Redis, redis://host:port (required)
              --flink                 Flink's REST interface, http://host:port; without it all workers count as idle
              --streams               streams to balance, comma-separated [logs]
              --host                  address to listen on [127.0.0.1]
              --port                  port to listen on, 0 for a free one [0]
              --interval-ms           time between two rounds [5000]
              --lease-ms              how long a dead balancer stays the leader [5000]
              --window-ms             time over which rates are means, and the least time between tables for hot spots [15000]
              --stale-ms              age at which a report of traffic no longer counts [60000]
              --hot-rounds            consecutive rounds that make or end a hot spot [2]
              --partition-capacity    bytes per second that a partition takes [10000000]
              --worker-capacity       bytes per second that a subtask of the ingest job takes [20000000]
              --watermark             share of a worker's capacity that plans use [0.85]
              --group-id              consumer group that shows the ingest job's progress [cordwood-ingest]
              --max-partitions        partitions up to which a topic may grow when its demand does not fit; 0: it never grows [0]
              --max-workers           subtasks up to which the job may grow when its demand does not fit; 0: it never grows [0]
              --quotas                hold tenants to their shares by Kafka's client quotas (client.id = tenant) [false]
              --kafka-properties      file with Kafka client properties: SASL, TLS""";

    /**
     * Reads {@code --option value ...}.
     *
     * @throws IllegalArgumentException if an option is unknown, missing or malformed
     */
    public static BalancerOptions parse(String... arguments) {
        Values values = new Values(arguments);
        Properties kafka = properties(values.text("--kafka-properties", ""));
        kafka.setProperty("bootstrap.servers", values.required("--bootstrap-servers"));
        BalancerOptions options = new BalancerOptions(
                kafka,
                values.redis(),
                values.text("--flink", ""),
                List.of(values.text("--streams", "logs").split(",", -1)),
                values.text("--host", "127.0.0.1"),
                (int) values.number("--port", 0, 0, 65_535),
                Duration.ofMillis((long) values.number("--interval-ms", 5_000, 1, 1e9)),
                Duration.ofMillis((long) values.number("--lease-ms", 5_000, 100, 1e9)),
                Duration.ofMillis((long) values.number("--window-ms", 15_000, 1, 1e9)),
                Duration.ofMillis((long) values.number("--stale-ms", 60_000, 1, 1e9)),
                (int) values.number("--hot-rounds", 2, 1, 1_000),
                new Capacities(
                        values.number("--partition-capacity", 10e6, 1, 1e15),
                        values.number("--worker-capacity", 20e6, 1, 1e15),
                        values.number("--watermark", 0.85, 0.01, 1)),
                values.text("--group-id", "cordwood-ingest"),
                (int) values.number("--max-partitions", 0, 0, 100_000),
                (int) values.number("--max-workers", 0, 0, 1024),
                values.flag("--quotas"));
        values.requireAllKnown();
        if (options.maxWorkers() > 0 && options.flink().isEmpty()) {
            throw new IllegalArgumentException("--max-workers needs --flink, the address of Flink's REST interface");
        }
        return options;
    }

    private static Properties properties(String file) {
        Properties properties = new Properties();
        if (!file.isEmpty()) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                properties.load(reader);
            } catch (IOException e) {
                throw new IllegalArgumentException("Option --kafka-properties: cannot read " + file, e);
            }
        }
        return properties;
    }

    /** The given values; each is consumed once. */
    private static final class Values {
        private final Map<String, String> given = new HashMap<>();

        Values(String... arguments) {
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw new IllegalArgumentException("Option %s needs a value; see --help".formatted(arguments[i]));
                }
                given.put(arguments[i], arguments[i + 1]);
            }
        }

        String text(String option, String otherwise) {
            String value = given.remove(option);
            return value == null ? otherwise : value;
        }

        String required(String option) {
            String value = given.remove(option);
            if (value == null) {
                throw new IllegalArgumentException("Option %s is missing; see --help".formatted(option));
            }
            return value;
        }

        URI redis() {
            String url = required("--redis");
            URI redis = URI.create(url);
            if (!JedisURIHelper.isValid(redis)) {
                throw new IllegalArgumentException(
                        "Option --redis: '%s' is not an address such as redis://127.0.0.1:6379".formatted(url));
            }
            return redis;
        }

        double number(String option, double otherwise, double least, double most) {
            String text = given.remove(option);
            if (text == null) {
                return otherwise;
            }
            try {
                double number = Double.parseDouble(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            throw new IllegalArgumentException(
                    "Option %s: '%s' is not a number from %.0f to %.0f".formatted(option, text, least, most));
        }

        boolean flag(String option) {
            return switch (text(option, "false")) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException("Option %s is true or false".formatted(option));
            };
        }

        void requireAllKnown() {
            if (!given.isEmpty()) {
                throw new IllegalArgumentException("Unknown option %s; see --help"
                        .formatted(given.keySet().iterator().next()));
            }
        }
    }
}
