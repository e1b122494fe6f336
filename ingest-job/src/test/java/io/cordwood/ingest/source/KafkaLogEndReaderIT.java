package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.source.ReadHistory.Position;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class KafkaLogEndReaderIT {
    private static final LogPartition P0 = new LogPartition("logs", "id", 0);
    private static final LogPartition P1 = new LogPartition("logs", "id", 1);
    private static final LogPartition P2 = new LogPartition("logs", "id", 2);

    private static Service kafka;
    private static final Properties PROPERTIES = new Properties();

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = TestServices.kafka();
        PROPERTIES.setProperty("bootstrap.servers", kafka.address());
    }

    @AfterAll
    static void stopKafka() throws IOException {
        kafka.close();
    }

    /** Who holds a partition, and how much of it Kafka keeps. */
    @Test
    void readsALogHeldByATransaction() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
                TopicInspector inspector =
                        new KafkaTopicInspector(PROPERTIES, new MinRetention(Duration.ofHours(1), 1 << 20))) {
            assertThat(inspector.inspect("held")).isEmpty();
            KafkaTopics.create(
                    admin,
                    new NewTopic("held", 1, (short) 1)
                            .configs(Map.of("message.timestamp.type", "LogAppendTime", "retention.bytes", "2000000")));
            send(kafka, "held", 0, true);
            // Kafka answers before the marker is in its log
            Waiting.until(
                    "the transaction has ended",
                    () -> inspector.openTransactions("held", 0).isEmpty());
            try (KafkaProducer<byte[], byte[]> open = producer(kafka, "shipper-7")) {
                open.initTransactions();
                open.beginTransaction();
                open.send(new ProducerRecord<>("held", 0, null, new byte[100_000]))
                        .get();

                TopicState state = inspector.inspect("held").orElseThrow();
                assertThat(state.problem()).isEmpty();
                assertThat(state.retentionBytes()).isEqualTo(2_000_000);
                TopicState.PartitionLog log = state.partitions().get(0);
                // Two records and a marker are before it.
                assertThat(log.start()).isZero();
                assertThat(log.stableEnd()).isEqualTo(3);
                assertThat(log.end()).isEqualTo(4);
                assertThat(log.bytes()).isBetween(100_000L, 110_000L);
                assertThat(inspector.openTransactions("held", 0))
                        .singleElement()
                        .satisfies(transaction -> {
                            assertThat(transaction.transactionalId()).isEqualTo("shipper-7");
                            assertThat(transaction.start()).isEqualTo(3);
                        });
                open.abortTransaction();
            }
            // Kafka writes the marker after its answer
            Waiting.until(
                    "the transaction is at its end",
                    () -> inspector.openTransactions("held", 0).isEmpty());

            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "held");
            admin.incrementalAlterConfigs(Map.of(
                            topic,
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("retention.bytes", "1000000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            Waiting.until(
                    "the broker knows the new setting",
                    () -> inspector.inspect("held").orElseThrow().problem().isPresent());
            assertThat(inspector.inspect("held").orElseThrow().problem().orElseThrow())
                    .contains("retention.bytes=1000000");
        }
    }

    @Test
    void tellsWhatStandsAtAPosition() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            KafkaTopics.create(admin, new NewTopic("logs", 3, (short) 1));
            send(kafka, "logs", 0, true);
            send(kafka, "logs", 1, true);
            send(kafka, "logs", 1, false);
            send(kafka, "logs", 2, true);
            admin.deleteRecords(Map.of(new TopicPartition("logs", 2), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
        }
        try (KafkaLogEndReader logEnds = new KafkaLogEndReader(PROPERTIES, "log-ends")) {
            // Two records and a marker; in partition 1 two more, aborted, and their marker.
            assertThat(logEnds.read(Map.of(P0, 1L))).isEqualTo(Map.of(P0, new Position(1, 0)));
            assertThat(logEnds.read(Map.of(P0, 2L, P1, 2L)))
                    .isEqualTo(Map.of(P0, new Position(3, 0), P1, new Position(6, 0)));
            assertThat(logEnds.read(Map.of(P1, 6L))).isEmpty();
            assertThat(logEnds.read(Map.of(P2, 1L)))
                    .as("below the start of the log")
                    .isEmpty();
        }
    }

    /** Two records in one transaction. */
    private static void send(Service kafka, String topic, int partition, boolean commits) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka, "sender")) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < 2; i++) {
                producer.send(new ProducerRecord<>(topic, partition, null, new byte[] {1}))
                        .get();
            }
            if (commits) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(Service kafka, String transactionalId) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address(), "transactional.id", transactionalId),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
