package io.cordwood.ingest;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The job's options, as they stand on the command line. Defaults here are what {@code --help} prints. */
enum Option {
    BOOTSTRAP_SERVERS(null, "Kafka brokers, host:port,..."),
    STREAMS("logs", "streams to ingest, comma-separated; each is a Kafka topic"),
    CATALOG_URI(null, "address of the catalog service"),
    WAREHOUSE("", "where tables are; if given, the start checks that the job can write there"),
    CHECKPOINT_DIR(null, "where checkpoints go: a directory or URI"),
    SAVEPOINT(
            "",
            "cluster only: savepoint to start from while there is no checkpoint: a directory or URI; it is left as it is"),
    PARALLELISM("1", "subtasks that read Kafka and build LogBlocks"),
    SLOTS(
            "0",
            "cluster only: subtasks that it can be given over Flink's REST interface while it runs, if more than --parallelism; memory is divided among them"),
    CHECKPOINT_INTERVAL("10s", "time between checkpoints; rows are committed after each"),
    DEFAULT_TENANT("", "tenant of records that name none; without it they go to the dead-letter topic"),
    COLUMNS(
            "",
            "declared columns: STREAM=name:type,name:type;STREAM=name:type; types: varchar, bigint, double, boolean, timestamp"),
    TEXT("", "text columns besides the usual names: STREAM=name,name;STREAM=name"),
    FLUSH_SIZE("64mb", "memory at which a tenant's rows of one partition are flushed"),
    SMALL_SIZE("8mb", "a tenant with rows below this size waits for its turn in --max-age, others for --min-age"),
    MIN_AGE("1m", "how long rows of a tenant with many wait after they were read"),
    MAX_AGE("1h", "longest that rows wait after they were read; each tenant has its turn in it"),
    MAX_LAG("1gb", "bytes that may be read past a waiting row of a partition before it is flushed"),
    MAX_AGED_FLUSHES(
            "1000",
            "flushes by age, by lag, of what failed before, or because too much waits, in one checkpoint and subtask"),
    BUFFER_MEMORY("512mb", "memory for rows, of one task manager; when it is full, reading stops"),
    MAX_WAITING("16gb", "memory that waiting rows would take, of one task manager; above, reading is slowed down"),
    FLUSH_THREADS("1", "LogBlocks that a subtask builds at a time"),
    COMMIT_THREADS("4", "tables that a subtask commits to at a time"),
    ZSTD_LEVEL("3", "compression level of LogBlocks"),
    OUTAGE_BUDGET("24h", "outage that Kafka's retention must outlast, on top of --max-age"),
    DISCOVERY_INTERVAL("30s", "time between looks for new partitions"),
    GROUP_ID("cordwood-ingest", "consumer group whose offsets show archived-through to lag tools"),
    REDIS(
            "",
            "where traffic for the balancer and statistics for queries of the hot tier go, redis://host:port; empty for nowhere"),
    KAFKA_PROPERTIES("", "file with Kafka client properties: SASL, TLS"),
    CATALOG_PROPERTIES("", "file with properties of the catalog client and object storage"),
    ACCEPT_LOSS("false", "go on although Kafka no longer holds rows that were never archived"),
    WORK_DIR("", "cluster only: directory for temporary files and the state in use"),
    REST_HOST("127.0.0.1", "cluster only: address of Flink's dashboard"),
    REST_PORT("8081", "cluster only: port of Flink's dashboard; 0 for a free one"),
    JOB_MANAGER(
            "",
            "cluster only: host:port where task managers that are processes of their own find the job; empty: the only one is in this process");

    private final String defaultValue;
    private final String description;

    Option(String defaultValue, String description) {
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /** As on the command line. */
    String flag() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Empty if the option must be given. */
    Optional<String> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    static Optional<Option> byFlag(String flag) {
        return Arrays.stream(values())
                .filter(option -> option.flag().equals(flag))
                .findFirst();
    }

    /** One line for each option. */
    static String help() {
        return Arrays.stream(values())
                .map(option -> "  %-24s%s%s"
                        .formatted(
                                option.flag(),
                                option.description,
                                option.defaultValue()
                                        .map(value -> value.isEmpty() ? "" : " [" + value + "]")
                                        .orElse(" (required)")))
                .collect(Collectors.joining("\n"));
    }
}
