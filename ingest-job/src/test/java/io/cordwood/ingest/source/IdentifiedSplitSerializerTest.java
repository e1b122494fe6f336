package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class IdentifiedSplitSerializerTest {
    private final IdentifiedSplitSerializer serializer = new IdentifiedSplitSerializer();

    @Test
    void keepsTheTopicId() throws IOException {
        KafkaPartitionSplit plain = new KafkaPartitionSplit(new TopicPartition("logs", 3), 42);
        assertThat(copy(plain)).isEqualTo(plain).isNotInstanceOf(IdentifiedSplit.class);
        IdentifiedSplit identified = new IdentifiedSplit(plain, "topic-id");
        assertThat(copy(identified)).isEqualTo(identified);
    }

    private KafkaPartitionSplit copy(KafkaPartitionSplit split) throws IOException {
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
    }
}
