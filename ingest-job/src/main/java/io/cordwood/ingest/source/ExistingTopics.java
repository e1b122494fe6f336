package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.kafka.source.enumerator.subscriber.KafkaSubscriber;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes to the partitions of existing topics. A missing topic is logged, and searched for again at each discovery;
 * the connector's own subscriber would fail the job, and so the other streams. Not thread-safe.
 */
final class ExistingTopics implements KafkaSubscriber {
    private static final Logger LOG = LoggerFactory.getLogger(ExistingTopics.class);
    private static final long serialVersionUID = 1;

    private final HashSet<String> topics;
    private final HashSet<String> missing = new HashSet<>();

    ExistingTopics(List<String> topics) {
        this.topics = new HashSet<>(topics);
    }

    @Override
    public Set<TopicPartition> getSubscribedTopicPartitions(AdminClient admin) {
        Set<TopicPartition> partitions = new HashSet<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                for (TopicPartitionInfo partition : topic.getValue().get().partitions()) {
                    partitions.add(new TopicPartition(topic.getKey(), partition.partition()));
                }
                missing.remove(topic.getKey());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw new IngestException(
                            "Cannot describe topic '%s': %s"
                                    .formatted(topic.getKey(), e.getCause().getMessage()),
                            e.getCause());
                }
                if (missing.add(topic.getKey())) {
                    LOG.error("Topic '{}' does not exist: create it, or leave it out of --streams", topic.getKey());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IngestException("Interrupted while waiting for Kafka", e);
            }
        }
        return partitions;
    }
}
