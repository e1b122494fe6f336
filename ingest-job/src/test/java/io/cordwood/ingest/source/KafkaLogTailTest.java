package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Over Kafka's own consumer without a broker. */
class KafkaLogTailTest {
    private static final LogPartition P0 = new LogPartition("logs", "id", 0);
    private static final LogPartition P1 = new LogPartition("logs", "id", 1);
    private static final TopicPartition KAFKA_0 = new TopicPartition("logs", 0);
    private static final TopicPartition KAFKA_1 = new TopicPartition("logs", 1);

    private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("none");

    @Test
    void tellsWhereARecordStands() {
        kafka.updateEndOffsets(Map.of(KAFKA_0, 10L, KAFKA_1, 5L));
        kafka.updateBeginningOffsets(Map.of(KAFKA_0, 0L, KAFKA_1, 0L));
        kafka.schedulePollTask(() -> kafka.addRecord(new ConsumerRecord<>("logs", 0, 7, new byte[0], new byte[0])));
        try (KafkaLogTail tail = new KafkaLogTail(kafka)) {
            assertThat(tail.look(Map.of(P0, 5L, P1, 5L))).isEqualTo(Map.of(P0, 7L));
        }
    }

    @Test
    void givesNoAnswerAboutAPositionOutOfRange() {
        kafka.updateEndOffsets(Map.of(KAFKA_0, 10L));
        kafka.schedulePollTask(() -> kafka.setPollException(new OffsetOutOfRangeException(Map.of(KAFKA_0, 5L))));
        try (KafkaLogTail tail = new KafkaLogTail(kafka)) {
            assertThat(tail.look(Map.of(P0, 5L))).isEmpty();
        }
    }
}
