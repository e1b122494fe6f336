package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * Splits whose partition is gone because the topic was deleted, or made anew with fewer partitions. Used by the task
 * thread only.
 *
 * <p>The enumerator takes them as given away for good, so they stay in the reader's checkpoints: should the partition
 * appear after all, the job restarts and the split is read like a new one. What was read under the topic's old id is
 * not touched by that. A split that is missing for any other reason, such as a broker that does not know the partition
 * yet, is never left out: the job restarts and asks again.
 */
final class StaleSplits {
    private final List<KafkaPartitionSplit> gone = new ArrayList<>();

    /**
     * The splits whose partitions exist; takes the others in.
     *
     * @param topics the topics that exist
     * @throws IngestException if one is missing although its topic is there and was not made anew
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
                        "Kafka says that topic '%s' has %d partitions, but %s was found before; restarting to ask again"
                                .formatted(split.getTopic(), topic.partitions().size(), split.getTopicPartition()));
            }
        }
        return existing;
    }

    /** For the checkpoint. */
    List<KafkaPartitionSplit> splits() {
        return List.copyOf(gone);
    }

    /**
     * Makes sure that nobody waits for one of them to be read.
     *
     * @throws IngestException if one exists now
     */
    void requireGone(Map<String, TopicDescription> topics) {
        for (KafkaPartitionSplit split : gone) {
            if (exists(split, topics.get(split.getTopic()))) {
                throw new IngestException("%s was gone and is there again; restarting to read it from its beginning"
                        .formatted(split.getTopicPartition()));
            }
        }
    }

    private static boolean exists(KafkaPartitionSplit split, TopicDescription topic) {
        return topic != null && split.getPartition() < topic.partitions().size();
    }
}
