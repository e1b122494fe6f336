package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.TopicState.PartitionLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Inspects topics through Kafka's admin client. */
public final class KafkaTopicInspector implements TopicInspector {
    private final TopicAdmin admin;
    private final MinRetention minRetention;

    /**
     * Connects to Kafka.
     *
     * @param properties Kafka client properties, {@code bootstrap.servers} among them
     * @param minRetention the minimum that Kafka must keep
     */
    public KafkaTopicInspector(Properties properties, MinRetention minRetention) {
        this.admin = new TopicAdmin(properties);
        this.minRetention = minRetention;
    }

    @Override
    public Optional<TopicState> inspect(String stream) {
        TopicDescription topic = admin.describeExisting(List.of(stream)).get(stream);
        if (topic == null) {
            return Optional.empty();
        }
        Config config = admin.config(stream);
        long retentionBytes = TopicChecks.retentionBytes(config);
        return Optional.of(new TopicState(
                topic.topicId().toString(),
                problem(stream, config),
                retentionBytes,
                partitions(topic, retentionBytes >= 0)));
    }

    private Optional<String> problem(String stream, Config config) {
        try {
            TopicChecks.check(stream, config, minRetention);
            return Optional.empty();
        } catch (IngestException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Map<Integer, PartitionLog> partitions(TopicDescription topic, boolean withSizes) {
        List<TopicPartition> all = topic.partitions().stream()
                .map(partition -> new TopicPartition(topic.name(), partition.partition()))
                .toList();
        Map<TopicPartition, Long> starts = admin.logStarts(all);
        // Read before the stable ends, so that records in between do not count as part of a transaction
        Map<TopicPartition, Long> ends = admin.logEnds(all);
        Map<TopicPartition, Long> stableEnds = admin.stableEnds(all);
        Map<TopicPartition, Long> sizes = withSizes ? admin.logSizes(topic) : Map.of();
        Map<Integer, PartitionLog> partitions = new HashMap<>();
        for (TopicPartition partition : all) {
            partitions.put(
                    partition.partition(),
                    new PartitionLog(
                            starts.get(partition),
                            stableEnds.get(partition),
                            ends.get(partition),
                            sizes.getOrDefault(partition, 0L)));
        }
        return partitions;
    }

    @Override
    public List<OpenTransaction> openTransactions(String stream, int partition) {
        return admin.openTransactions(new TopicPartition(stream, partition));
    }

    @Override
    public void close() {
        admin.close();
    }
}
