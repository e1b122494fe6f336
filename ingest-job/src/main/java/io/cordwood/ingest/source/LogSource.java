package io.cordwood.ingest.source;

import io.cordwood.hot.fetch.BoundedPoll;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.runtime.OpenResources;
import io.cordwood.ingest.storage.TableStorage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * A Kafka source with exact start positions: {@link StartPositions} decides where reading starts for every split of a
 * reader (new, discovered later, or from a checkpoint), and a checkpoint completes only if no topic was recreated
 * before it.
 */
public final class LogSource
        implements Source<PartitionEvent, KafkaPartitionSplit, KafkaSourceEnumState>,
                ResultTypeQueryable<PartitionEvent> {
    private static final long serialVersionUID = 1;

    private final KafkaSource<ConsumerRecord<byte[], byte[]>> kafka;
    private final Properties properties;
    /** The properties of the consumer. */
    private final Properties consumer;

    private final TableStorage.Factory storage;
    private final boolean acceptLoss;

    /**
     * A source of all partitions of these topics.
     *
     * @param kafkaProperties Kafka client properties, {@code bootstrap.servers} among them
     * @param discoveryMillis interval of the search for new partitions
     * @param acceptLoss whether the operator gives up rows that Kafka no longer holds
     */
    public LogSource(
            Properties kafkaProperties,
            List<String> topics,
            long discoveryMillis,
            TableStorage.Factory storage,
            boolean acceptLoss) {
        this.properties = kafkaProperties;
        this.storage = storage;
        this.acceptLoss = acceptLoss;
        this.consumer = new Properties();
        this.consumer.putAll(defaults());
        this.consumer.putAll(kafkaProperties);
        this.consumer.putAll(fixed(discoveryMillis, kafkaProperties));
        this.kafka = KafkaSource.<ConsumerRecord<byte[], byte[]>>builder()
                .setProperties(this.consumer)
                .setKafkaSubscriber(new ExistingTopics(topics))
                .setStartingOffsets(new LeftToReader())
                .setDeserializer(new ConsumedRecordSchema())
                .build();
    }

    private static Properties defaults() {
        Properties defaults = new Properties();
        // Both limits count compressed bytes; BoundedPoll bounds the unpacked ones.
        defaults.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "500");
        defaults.setProperty(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Integer.toString(256 << 10));
        defaults.setProperty(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(8 << 20));
        return defaults;
    }

    private static Properties fixed(long discoveryMillis, Properties given) {
        Properties fixed = new Properties();
        BoundedPoll.properties(given.getProperty(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ""))
                .forEach(fixed::setProperty);
        fixed.setProperty(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        fixed.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        fixed.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        fixed.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        fixed.setProperty(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false");
        fixed.setProperty(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), Long.toString(discoveryMillis));
        fixed.setProperty(KafkaSourceOptions.CLIENT_ID_PREFIX.key(), "cordwood-ingest");
        fixed.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return fixed;
    }

    @Override
    public SourceReader<PartitionEvent, KafkaPartitionSplit> createReader(SourceReaderContext context)
            throws Exception {
        String task = "cordwood-ingest-log-ends-" + context.getIndexOfSubtask();
        try (OpenResources clients = new OpenResources()) {
            LogSourceReader reader = new LogSourceReader(
                    clients.add(kafkaReader(context)),
                    clients.add(new TopicAdmin(properties)),
                    clients.add(storage.open()),
                    context.metricGroup().counter("empty_ranges"),
                    clients.add(new IdlePartitions(new KafkaLogEndReader(properties, task), task)),
                    new ReadHistory(properties),
                    acceptLoss,
                    JobClock.ofMachine(System::currentTimeMillis));
            clients.keep();
            return reader;
        }
    }

    /** The connector's reader, except that its consumer unpacks within limits. */
    private KafkaSourceReader<ConsumerRecord<byte[], byte[]>> kafkaReader(SourceReaderContext context) {
        FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
                new FutureCompletingBlockingQueue<>();
        KafkaSourceReaderMetrics metrics = new KafkaSourceReaderMetrics(context.metricGroup());
        KafkaSourceFetcherManager fetchers = new KafkaSourceFetcherManager(
                fetched, () -> BoundedSplitReaders.open(consumer, context, metrics), finished -> {});
        Configuration configuration = new Configuration();
        consumer.stringPropertyNames().forEach(name -> configuration.setString(name, consumer.getProperty(name)));
        return new KafkaSourceReader<>(
                fetched,
                fetchers,
                new KafkaRecordEmitter<>(new ConsumedRecordSchema()),
                configuration,
                context,
                metrics);
    }

    @Override
    public Boundedness getBoundedness() {
        return kafka.getBoundedness();
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) throws Exception {
        return kafka.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState checkpoint) throws Exception {
        return kafka.restoreEnumerator(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return new IdentifiedSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return kafka.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<PartitionEvent> getProducedType() {
        return PartitionEvent.TYPE;
    }

    /** Leaves the start to the reader, and never resets a position. */
    private static final class LeftToReader implements OffsetsInitializer {
        private static final long serialVersionUID = 1;

        @Override
        public Map<TopicPartition, Long> getPartitionOffsets(
                Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
            Map<TopicPartition, Long> starts = new HashMap<>();
            partitions.forEach(partition -> starts.put(partition, KafkaPartitionSplit.EARLIEST_OFFSET));
            return starts;
        }

        @Override
        @SuppressWarnings("deprecation") // the connector's interface still requires Kafka's deprecated enum
        public OffsetResetStrategy getAutoOffsetResetStrategy() {
            return OffsetResetStrategy.NONE;
        }
    }
}
