package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.source.ReadHistory.Position;
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
        IdentifiedSplit identified = new IdentifiedSplit(plain, "topic-id", new Position(41, 7));
        assertThat(copy(identified)).isEqualTo(identified);
        assertThat(copy(identified)).isNotEqualTo(new IdentifiedSplit(plain, "topic-id", Position.UNKNOWN));
    }

    @Test
    void refusesOtherVersions() throws IOException {
        byte[] split = serializer.serialize(new KafkaPartitionSplit(new TopicPartition("logs", 3), 42));
        assertThatThrownBy(() -> serializer.deserialize(2, split))
                .isInstanceOf(IOException.class)
                .hasMessage("The checkpoint has Kafka splits of version 2; this program reads version 1");
    }

    private KafkaPartitionSplit copy(KafkaPartitionSplit split) throws IOException {
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
    }
}
