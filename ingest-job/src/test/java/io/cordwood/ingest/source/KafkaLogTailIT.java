package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class KafkaLogTailIT {
    private static final LogPartition P0 = new LogPartition("logs", "id", 0);
    private static final LogPartition P1 = new LogPartition("logs", "id", 1);
    private static final LogPartition P2 = new LogPartition("logs", "id", 2);

    @Test
    void tellsWhatStandsAtAPosition() throws Exception {
        try (Service kafka = TestServices.kafka()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
                KafkaTopics.create(admin, new NewTopic("logs", 3, (short) 1));
                send(kafka, 0, true);
                send(kafka, 1, true);
                send(kafka, 1, false);
                send(kafka, 2, true);
                admin.deleteRecords(Map.of(new TopicPartition("logs", 2), RecordsToDelete.beforeOffset(2)))
                        .all()
                        .get();
            }
            Properties properties = new Properties();
            properties.setProperty("bootstrap.servers", kafka.address());
            try (KafkaLogTail tail = new KafkaLogTail(properties, "tail")) {
                // Two records and a marker; in partition 1 two more, aborted, and their marker.
                assertThat(tail.look(Map.of(P0, 1L))).isEqualTo(Map.of(P0, 1L));
                assertThat(tail.look(Map.of(P0, 2L, P1, 2L))).isEqualTo(Map.of(P0, 3L, P1, 6L));
                assertThat(tail.look(Map.of(P1, 6L))).isEmpty();
                assertThat(tail.look(Map.of(P2, 1L)))
                        .as("below the start of the log")
                        .isEmpty();
            }
        }
    }

    /** Two records in one transaction. */
    private static void send(Service kafka, int partition, boolean commits) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address(), "transactional.id", "sender"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < 2; i++) {
                producer.send(new ProducerRecord<>("logs", partition, null, new byte[] {1}))
                        .get();
            }
            if (commits) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }
}
