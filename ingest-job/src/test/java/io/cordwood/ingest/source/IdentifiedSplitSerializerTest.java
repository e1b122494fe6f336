package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.source.ReadHistory.Position;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
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
    void readsCheckpointsOfBefore() throws IOException {
        KafkaPartitionSplit plain = new KafkaPartitionSplit(new TopicPartition("logs", 3), 42);
        KafkaPartitionSplitSerializer kafka = new KafkaPartitionSplitSerializer();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF("topic-id");
            out.writeInt(kafka.getVersion());
            out.write(kafka.serialize(plain));
        }
        assertThat(serializer.deserialize(1, bytes.toByteArray()))
                .isEqualTo(new IdentifiedSplit(plain, "topic-id", Position.UNKNOWN));
    }

    private KafkaPartitionSplit copy(KafkaPartitionSplit split) throws IOException {
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
    }
}
