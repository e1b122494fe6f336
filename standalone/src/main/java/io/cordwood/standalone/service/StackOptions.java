package io.cordwood.standalone.service;

import io.cordwood.balancer.service.BalancerTuning;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.ingest.StreamOptions;
import io.cordwood.options.NamedValues;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The user's options of a stack. Immutable.
 *
 * @param streamOptions the streams, their columns, and the tenant of records that name none
 * @param partitions number of partitions of a new topic
 * @param smallAge approximate maximum time until rows of a tenant that are not very few are in a LogBlock
 * @param maxAge approximate maximum time until any row is in a LogBlock
 * @param kafka {@code host:port} of a real Kafka in place of the embedded one
 * @param kafkaProperties file with client properties of that Kafka
 * @param redis URL of a real Redis in place of the embedded one
 * @param warehouse location of LogBlocks in place of the home: a {@code file:} or {@code s3:} URI
 * @param s3 connection to the S3 store, if the warehouse or the checkpoints are in one
 * @param checkpointDir location of the ingest job's checkpoints; absent: beside an S3 warehouse, else in the home
 * @param catalogDatabase JDBC URL of the catalog's database in place of a file in the home
 * @param catalog address of a running catalog service in place of the embedded one
 * @param savepoint savepoint to start the ingest job from if it has no checkpoint
 * @param parallelism subtasks of the ingest job; absent: one for each processor, at most four
 * @param iceberg whether Trino's own Iceberg connector reads the same tables, as catalog {@code iceberg}
 * @param balancer options of the balancer other than addresses, by name without dashes
 * @param compaction options of the compaction job, by name without dashes
 * @param search bounds and caches of the search service, by name without dashes
 * @param gateway bounds of the ingest gateway, by name without dashes
 * @param secrets what services prove themselves with to each other; absent: a stack without authentication
 * @param issuer with authentication, a provider whose tokens are exchanged for those of the stack
 */
public record StackOptions(
        StreamOptions streamOptions,
        int partitions,
        Duration smallAge,
        Duration maxAge,
        Optional<String> kafka,
        Optional<Path> kafkaProperties,
        Optional<String> redis,
        Optional<String> warehouse,
        S3Settings s3,
        Optional<String> checkpointDir,
        Optional<String> catalogDatabase,
        Optional<String> catalog,
        Optional<String> savepoint,
        OptionalInt parallelism,
        boolean iceberg,
        Map<String, String> balancer,
        Map<String, String> compaction,
        Map<String, String> search,
        Map<String, String> gateway,
        Optional<Secrets> secrets,
        Optional<OpenIdProvider.Settings> issuer) {

    /** Short, so that a small stack soon has LogBlocks. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(20);

    public StackOptions {
        balancer = Map.copyOf(balancer);
        compaction = Map.copyOf(compaction);
        search = Map.copyOf(search);
        gateway = Map.copyOf(gateway);
    }

    /** One stream, {@code logs}, and everything embedded. */
    public static StackOptions defaults() {
        return new StackOptions(
                StreamOptions.of("logs"),
                8,
                DEFAULT_MAX_AGE,
                DEFAULT_MAX_AGE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                S3Settings.DEFAULTS,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                false,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** The names of the streams, each a Kafka topic. */
    public List<String> streams() {
        return streamOptions.streams();
    }

    /** The number of subtasks that the balancer may request from Flink; 0 for none. */
    int maxWorkers() {
        return NamedValues.set(new BalancerTuning(), balancer).maxWorkers();
    }

    /** A copy with another age of rows and other options of the balancer. */
    public StackOptions with(Duration age, Map<String, String> balancerOptions) {
        return new StackOptions(
                streamOptions,
                partitions,
                age,
                age,
                kafka,
                kafkaProperties,
                redis,
                warehouse,
                s3,
                checkpointDir,
                catalogDatabase,
                catalog,
                savepoint,
                parallelism,
                iceberg,
                balancerOptions,
                compaction,
                search,
                gateway,
                secrets,
                issuer);
    }

    /** A copy of a stack whose services prove themselves with these secrets. */
    public StackOptions with(Secrets own) {
        return new StackOptions(
                streamOptions,
                partitions,
                smallAge,
                maxAge,
                kafka,
                kafkaProperties,
                redis,
                warehouse,
                s3,
                checkpointDir,
                catalogDatabase,
                catalog,
                savepoint,
                parallelism,
                iceberg,
                balancer,
                compaction,
                search,
                gateway,
                Optional.of(own),
                issuer);
    }

    /** The Kafka client properties that the user gave, else those of an account of this stack. */
    Optional<Path> kafkaProperties(Account account) {
        return kafkaProperties.or(() -> secrets.map(own -> own.kafkaProperties(account)));
    }
}
