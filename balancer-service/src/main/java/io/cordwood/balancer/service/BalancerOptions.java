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
 * What the operator decides about the balancer. Immutable.
 *
 * @param kafka client properties, {@code bootstrap.servers} among them; not to be changed
 * @param redis where reports come from and tables go
 * @param flink address of Flink's REST interface; empty for none
 * @param streams streams to balance
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param interval time between two looks at the traffic
 * @param lease how long a balancer that died stays the leader
 * @param window time that rates are means over; also, after a new table, the least time until hot spots make another
 * @param stale age at which a report no longer counts
 * @param hotRounds looks in a row that make a hot spot, or its end
 * @param capacities what partitions and workers take
 * @param groupId consumer group whose offsets say how far the ingest job is
 * @param maxPartitions how many partitions the balancer may give a topic; 0 for none more than it has
 * @param maxWorkers how many subtasks the balancer may ask Flink to give the ingest job; 0 for none more than it has
 * @param quotas whether tenants are held to their shares by Kafka's client quotas while the demand does not fit
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
    /** What {@code --help} prints. */
    public static final String USAGE = """
            Usage: Balancer --option value ...
              --bootstrap-servers     Kafka brokers, host:port,... (required)
              --redis                 Redis, redis://host:port (required)
              --flink                 Flink's REST interface, http://host:port; without it nobody is seen to be busy
              --streams               streams to balance, comma-separated [logs]
              --host                  address to listen on [127.0.0.1]
              --port                  port to listen on, 0 for a free one [0]
              --interval-ms           time between two looks at the traffic [5000]
              --lease-ms              how long a balancer that died stays the leader [5000]
              --window-ms             time that rates are means over, and the least between tables for hot spots [15000]
              --stale-ms              age at which a report of traffic no longer counts [60000]
              --hot-rounds            looks in a row that make a hot spot, or its end [2]
              --partition-capacity    bytes per second that a partition takes [10000000]
              --worker-capacity       bytes per second that a subtask of the ingest job takes [20000000]
              --watermark             share of a worker's capacity that plans use [0.85]
              --group-id              consumer group that shows how far the ingest job is [cordwood-ingest]
              --max-partitions        partitions that a topic may be given when its demand does not fit; 0 for no more [0]
              --max-workers           subtasks that Flink is asked to give the job when its demand does not fit; 0 for no more [0]
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

    /** The values given; each is taken once. */
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
                // Said below.
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
