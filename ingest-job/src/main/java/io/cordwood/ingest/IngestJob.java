package io.cordwood.ingest;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.ingest.builder.BuildOperatorFactory;
import io.cordwood.ingest.builder.BuildOptions;
import io.cordwood.ingest.builder.DeadLetter;
import io.cordwood.ingest.builder.DeadLetterSink;
import io.cordwood.ingest.commit.Acknowledgement;
import io.cordwood.ingest.commit.CommitOperatorFactory;
import io.cordwood.ingest.commit.KafkaGroupOffsets;
import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.commit.PublishOperatorFactory;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.commit.TableKey;
import io.cordwood.ingest.report.RedisTrafficReporter;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.KafkaTopicInspector;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.LogSource;
import io.cordwood.ingest.source.MinRetention;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.source.PartitionSpread;
import io.cordwood.ingest.source.StartPositions;
import io.cordwood.ingest.source.TopicAdmin;
import io.cordwood.ingest.source.TopicChecks;
import io.cordwood.ingest.storage.CatalogTableStorage;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.options.Program;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.state.rocksdb.RocksDBConfigurableOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.rocksdb.CompressionType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The job that converts Kafka records to committed LogBlocks: it reads partitions, builds LogBlocks keyed by partition,
 * commits them keyed by table, and publishes archived-through.
 */
public final class IngestJob {
    private static final int MAX_PARALLELISM = PartitionSpread.MAX_PARALLELISM;
    /** The delay between a failure and the restart. */
    private static final Duration RESTART_DELAY = Duration.ofSeconds(2);

    private IngestJob() {}

    /** Runs the job in the Flink cluster that received this program. */
    public static void main(String[] arguments) throws Exception {
        Optional<Submission> submission = Program.parse(new Submission(), arguments);
        if (submission.isPresent()) {
            IngestOptions options = submission.get().flags.options();
            check(options);
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.getExecutionEnvironment(configuration(options));
            build(environment, options);
            environment.execute("Cordwood ingest");
        }
    }

    @Command(
            name = "IngestJob",
            mixinStandardHelpOptions = true,
            description = "Ingests logs in the Flink cluster to which it is submitted.")
    private static final class Submission {
        @Mixin
        private IngestFlags flags;
    }

    /**
     * Checks the preconditions of the job, and creates dead-letter topics.
     *
     * @throws IngestException with one line that says how to fix the setup
     */
    public static void check(IngestOptions options) {
        try (TopicAdmin admin = new TopicAdmin(options.kafka())) {
            TopicChecks.check(admin, options.streams(), options.minRetention());
        }
        try (CatalogTableStorage storage = open(options.catalogUri(), options.catalogProperties(), options.build())) {
            options.streams().forEach(storage::archivedThrough);
            if (options.build().policy().requireToken()) {
                storage.tokenRules();
            }
            if (!options.warehouse().isEmpty()) {
                storage.checkWritable(options.warehouse());
            }
        } catch (CatalogException e) {
            throw new IngestException(e.getMessage(), e);
        }
    }

    /**
     * The rows that a start without a checkpoint would lose: rows above archived-through that Kafka no longer holds.
     * Blocks, for some minutes at most.
     *
     * @return the loss and its place; empty if there is none, or the operator accepts it
     * @throws IngestException if Kafka or the catalog does not answer
     */
    public static Optional<String> lostWithoutCheckpoint(IngestOptions options) {
        if (options.acceptLoss()) {
            return Optional.empty();
        }
        try (TopicAdmin admin = new TopicAdmin(options.kafka());
                CatalogTableStorage storage =
                        open(options.catalogUri(), options.catalogProperties(), options.build())) {
            return StartPositions.lostWithoutCheckpoint(admin, storage, options.streams());
        } catch (CatalogException e) {
            throw new IngestException(e.getMessage(), e);
        }
    }

    /** The Flink settings that the job relies on. */
    public static Configuration configuration(IngestOptions options) {
        Configuration flink = new Configuration();
        flink.set(PipelineOptions.GENERIC_TYPES, false);
        flink.set(PipelineOptions.OBJECT_REUSE, true);
        flink.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
        flink.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        flink.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        // Chunks are compressed and take a few kilobytes. With blocks of 4 KB, whole indexes and no filters, a lookup
        // would read more index bytes than chunk bytes, and not even one of these indexes fits into the cache.
        flink.set(RocksDBConfigurableOptions.COMPRESSION_PER_LEVEL, List.of(CompressionType.NO_COMPRESSION));
        flink.set(RocksDBConfigurableOptions.BLOCK_SIZE, new MemorySize(32 << 10));
        flink.set(RocksDBConfigurableOptions.USE_BLOOM_FILTER, true);
        flink.set(RocksDBOptions.USE_PARTITIONED_INDEX_FILTERS, true);
        flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(options.checkpointDir()));
        flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpointInterval());
        flink.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        // Unaligned checkpoints would contain rows in flight, which could be older than the checkpoint says.
        flink.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
        flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 3);
        flink.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1);
        flink.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // Growing delays follow the wall clock: if it is set back by hours after one failure, the next restart waits
        // that long.
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
        flink.addAll(checkpointStore(options.catalogProperties()));
        return flink;
    }

    /**
     * Flink's settings for an S3 store with checkpoints; the catalog client accesses tables.
     *
     * @param catalogProperties properties of the catalog client, which locate the store
     */
    public static Configuration checkpointStore(Map<String, String> catalogProperties) {
        Configuration flink = new Configuration();
        S3Settings s3 = S3Settings.of(catalogProperties);
        s3.endpoint().ifPresent(endpoint -> flink.setString("s3.endpoint", endpoint.toString()));
        S3Clients.region(s3).ifPresent(region -> flink.setString("s3.region", region));
        flink.setString("s3.path-style-access", Boolean.toString(s3.pathStyle()));
        return flink;
    }

    /** A directory as a URI. */
    public static String uri(String directory) {
        return directory.contains("://")
                ? directory
                : Path.of(directory).toAbsolutePath().toUri().toString();
    }

    /** Adds the job to an environment. */
    public static void build(StreamExecutionEnvironment environment, IngestOptions options) {
        TableStorage.Factory storage = storage(options);
        Properties kafka = options.kafka();
        String groupId = options.groupId();
        MinRetention minRetention = options.minRetention();
        environment.setParallelism(options.parallelism());

        DataStream<PartitionEvent> records = environment
                .fromSource(
                        new LogSource(
                                kafka,
                                options.streams(),
                                options.discoveryInterval().toMillis(),
                                storage,
                                options.acceptLoss()),
                        WatermarkStrategy.noWatermarks(),
                        "Kafka logs",
                        PartitionEvent.TYPE)
                .uid("kafka-logs");

        SingleOutputStreamOperator<TableFlush> flushes = records.keyBy(PartitionEvent::partition, LogPartition.TYPE)
                .transform(
                        "Build LogBlocks",
                        TableFlush.TYPE,
                        new BuildOperatorFactory(options.build(), storage, reporter(options.redis()), options.redis()))
                .uid("build-logblocks");

        DataStream<DeadLetter> deadLetters = flushes.getSideOutput(BuildOperatorFactory.DEAD_LETTERS);
        deadLetters.sinkTo(new DeadLetterSink(kafka)).name("Dead letters").uid("dead-letters");

        SingleOutputStreamOperator<Acknowledgement> acknowledgements = flushes.keyBy(TableFlush::table, TableKey.TYPE)
                .transform(
                        "Commit tables",
                        Acknowledgement.TYPE,
                        new CommitOperatorFactory(options.commitThreads(), storage))
                .uid("commit-tables");

        DataStream<Progress> progress = flushes.getSideOutput(BuildOperatorFactory.PROGRESS);
        acknowledgements
                .global()
                .connect(progress.global())
                .transform(
                        "Publish archived-through",
                        Types.VOID,
                        new PublishOperatorFactory(
                                options.streams(),
                                storage,
                                () -> new KafkaGroupOffsets(kafka, groupId),
                                () -> new TopicAdmin(kafka),
                                () -> new KafkaTopicInspector(kafka, minRetention)))
                .uid("publish-archived-through")
                .setParallelism(1)
                .setMaxParallelism(1);
    }

    private static TrafficReporter.Factory reporter(String redis) {
        return () -> redis.isEmpty() ? TrafficReporter.none() : new RedisTrafficReporter(URI.create(redis));
    }

    private static TableStorage.Factory storage(IngestOptions options) {
        URI uri = options.catalogUri();
        Map<String, String> properties = options.catalogProperties();
        BuildOptions build = options.build();
        return () -> open(uri, properties, build);
    }

    private static CatalogTableStorage open(URI uri, Map<String, String> properties, BuildOptions build) {
        return new CatalogTableStorage(uri, properties, build.logBlockOptions());
    }
}
