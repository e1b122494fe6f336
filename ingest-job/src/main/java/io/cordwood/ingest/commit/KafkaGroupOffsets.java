package io.cordwood.ingest.commit;

import static java.util.stream.Collectors.toSet;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.TopicAdmin;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;

/** Shows archived-through as the committed offsets of a Kafka consumer group. */
public final class KafkaGroupOffsets implements GroupOffsets {
    private final TopicAdmin admin;
    private final String groupId;

    /**
     * Connects to Kafka.
     *
     * @param properties Kafka client properties, {@code bootstrap.servers} among them
     */
    public KafkaGroupOffsets(Properties properties, String groupId) {
        this.admin = new TopicAdmin(properties);
        this.groupId = groupId;
    }

    @Override
    public void show(Map<LogPartition, Long> offsets) {
        Map<String, String> ids =
                admin.ids(offsets.keySet().stream().map(LogPartition::stream).collect(toSet()));
        Map<TopicPartition, Long> shown = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            if (partition.topicId().equals(ids.get(partition.stream()))) {
                shown.put(new TopicPartition(partition.stream(), partition.partition()), offset);
            }
        });
        admin.copyToGroup(groupId, shown);
    }

    @Override
    public void close() {
        admin.close();
    }
}
