package io.cordwood.ingest;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The job's command-line options. {@code --help} prints the defaults given here. */
enum Option {
    BOOTSTRAP_SERVERS(null, "Kafka brokers, host:port,..."),
    STREAMS("logs", "streams to ingest, comma-separated; each is a Kafka topic"),
    CATALOG_URI(null, "address of the catalog service"),
    WAREHOUSE("", "location of the tables; if given, the job checks at start that it can write there"),
    CHECKPOINT_DIR(null, "location of checkpoints: a directory or URI"),
    SAVEPOINT(
            "",
            "cluster only: savepoint to start from while there is no checkpoint: a directory or URI; the job does not change it"),
    PARALLELISM("1", "subtasks that read Kafka and build LogBlocks"),
    SLOTS(
            "0",
            "cluster only: maximum subtasks that the running job can be given over Flink's REST interface, if more than --parallelism; they share the memory"),
    CHECKPOINT_INTERVAL("10s", "time between checkpoints; rows are committed after each"),
    DEFAULT_TENANT("", "tenant of records that name none; if empty, such records go to the dead-letter topic"),
    COLUMNS(
            "",
            "declared columns: STREAM=name:type,name:type;STREAM=name:type; types: varchar, bigint, double, boolean, timestamp"),
    TEXT("", "text columns besides the usual names: STREAM=name,name;STREAM=name"),
    FLUSH_SIZE("64mb", "memory at which a tenant's rows of one partition are flushed"),
    SMALL_SIZE("8mb", "tenants with fewer bytes of rows wait for their time slot in --max-age, others for --min-age"),
    MIN_AGE("1m", "how long rows of a tenant with at least --small-size wait after they were read"),
    MAX_AGE("1h", "maximum time that rows wait after they were read; each tenant has one time slot in this period"),
    MAX_LAG("1gb", "bytes that may be read from a partition past a waiting row before the row is flushed"),
    MAX_AGED_FLUSHES(
            "1000",
            "maximum flushes by age, by lag, after a failure, or because too many rows wait, per checkpoint and subtask"),
    BUFFER_MEMORY("512mb", "memory for rows of one task manager; when it is full, reading stops"),
    MAX_WAITING(
            "16gb",
            "memory that the waiting rows of one task manager would take; above this limit, the job reads slowly"),
    FLUSH_THREADS("1", "LogBlocks that a subtask builds concurrently"),
    COMMIT_THREADS("4", "tables that a subtask commits to concurrently"),
    ZSTD_LEVEL("3", "compression level of LogBlocks"),
    OUTAGE_BUDGET("24h", "duration of an outage that Kafka's retention must survive, in addition to --max-age"),
    DISCOVERY_INTERVAL("30s", "time between checks for new partitions"),
    GROUP_ID("cordwood-ingest", "consumer group whose offsets show archived-through to lag tools"),
    REDIS(
            "",
            "target of traffic reports for the balancer and of statistics for hot queries, redis://host:port; empty for none"),
    KAFKA_PROPERTIES("", "file with Kafka client properties: SASL, TLS"),
    CATALOG_PROPERTIES("", "file with properties of the catalog client and object storage"),
    ACCEPT_LOSS("false", "continue although Kafka no longer holds rows that were never archived"),
    WORK_DIR("", "cluster only: directory for temporary files and the live state"),
    REST_HOST("127.0.0.1", "cluster only: address of Flink's dashboard"),
    REST_PORT("8081", "cluster only: port of Flink's dashboard; 0 for a free one"),
    JOB_MANAGER(
            "",
            "cluster only: host:port at which separate task manager processes find the job; empty: the only task manager is in this process");

    private final String defaultValue;
    private final String description;

    Option(String defaultValue, String description) {
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /** The option as written on the command line. */
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
