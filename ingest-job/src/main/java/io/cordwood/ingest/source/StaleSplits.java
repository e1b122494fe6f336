package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * Splits whose partition is gone because the topic was deleted, or recreated with fewer partitions. Used by the task
 * thread only.
 *
 * <p>The enumerator considers them assigned for good, so they stay in the reader's checkpoints: if the partition
 * appears again, the job restarts and reads the split like a new one. This does not affect records read under the
 * topic's old id. A split that is missing for any other reason, such as a broker that does not know the partition yet,
 * is never left out: the job restarts and asks again.
 */
final class StaleSplits {
    private final List<KafkaPartitionSplit> gone = new ArrayList<>();

    /**
     * Returns the splits whose partitions exist, and keeps the others.
     *
     * @param topics the topics that exist
     * @throws IngestException if one is missing although its topic exists and was not recreated
     */
    List<KafkaPartitionSplit> existing(List<KafkaPartitionSplit> splits, Map<String, TopicDescription> topics) {
        List<KafkaPartitionSplit> existing = new ArrayList<>();
        for (KafkaPartitionSplit split : splits) {
            TopicDescription topic = topics.get(split.getTopic());
            if (topic == null) {
                gone.add(split);
            } else if (exists(split, topic)) {
                existing.add(split);
            } else if (split instanceof IdentifiedSplit identified
                    && !identified.topicId().equals(topic.topicId().toString())) {
                gone.add(split);
            } else {
                throw new IngestException(
                        "Topic '%s' has %d partitions in Kafka, but %s was found before; restarting to ask again"
                                .formatted(split.getTopic(), topic.partitions().size(), split.getTopicPartition()));
            }
        }
        return existing;
    }

    /** The stale splits, for the checkpoint. */
    List<KafkaPartitionSplit> splits() {
        return List.copyOf(gone);
    }

    /**
     * Checks that all of them are still gone, so that none waits to be read.
     *
     * @throws IngestException if one exists now
     */
    void requireGone(Map<String, TopicDescription> topics) {
        for (KafkaPartitionSplit split : gone) {
            if (exists(split, topics.get(split.getTopic()))) {
                throw new IngestException("%s was gone and exists again; restarting to read it from its beginning"
                        .formatted(split.getTopicPartition()));
            }
        }
    }

    private static boolean exists(KafkaPartitionSplit split, TopicDescription topic) {
        return topic != null && split.getPartition() < topic.partitions().size();
    }
}
