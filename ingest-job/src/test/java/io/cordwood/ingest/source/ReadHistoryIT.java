package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.source.ReadHistory.Position;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class ReadHistoryIT {
    private static final TopicPartition PARTITION = new TopicPartition("logs", 0);

    /**
     * Whether a broker lost records and appended others, or the reader says that it read more of an epoch than there
     * is, looks the same.
     */
    @Test
    void tellsWhereTheLogIsNoLongerTheOneThatWasRead() throws Exception {
        try (Service kafka = TestServices.kafka();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            Properties properties = new Properties();
            properties.setProperty("bootstrap.servers", kafka.address());
            ReadHistory history = new ReadHistory(properties);
            KafkaTopics.create(admin, new NewTopic("logs", 1, (short) 1));
            send(kafka, 5);
            int first = leaderEpoch(admin);
            kafka.kill();
            kafka.restart();
            send(kafka, 5);
            int second = leaderEpoch(admin);
            assertThat(second).isGreaterThan(first);

            assertThat(history.truncated(Map.of(PARTITION, new Position(5, first))))
                    .as("another leader alone")
                    .isEmpty();
            assertThat(history.truncated(Map.of(PARTITION, new Position(10, second))))
                    .isEmpty();
            assertThat(history.truncated(Map.of(PARTITION, new Position(7, first))))
                    .as("two records were lost, and five came in their place")
                    .isEqualTo(Map.of(PARTITION, 5L));
            assertThat(history.truncated(Map.of(PARTITION, new Position(12, second))))
                    .as("two records were lost, and none came")
                    .isEqualTo(Map.of(PARTITION, 10L));
            assertThat(history.truncated(Map.of(PARTITION, new Position(12, LogVersion.NO_EPOCH))))
                    .isEmpty();
        }
    }

    /** The last that is read of a log may be markers of transactions. */
    @Test
    void tellsThatMarkersWereLost() throws Exception {
        try (Service kafka = TestServices.kafka();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            Properties properties = new Properties();
            properties.setProperty("bootstrap.servers", kafka.address());
            KafkaTopics.create(admin, new NewTopic("logs", 1, (short) 1));
            send(kafka, 5);
            Position read = new Position(5, leaderEpoch(admin));
            abort(kafka);
            Position empty = emptyFrom(5, properties);
            assertThat(empty).isEqualTo(new Position(7, read.leaderEpoch()));
            kafka.kill();
            kafka.restart();
            send(kafka, 5);

            ReadHistory history = new ReadHistory(properties);
            assertThat(history.truncated(Map.of(PARTITION, read.or(empty)))).isEmpty();
            Position withAnotherMarker = new Position(8, empty.leaderEpoch());
            assertThat(history.truncated(Map.of(PARTITION, read.or(withAnotherMarker))))
                    .as("a marker was lost, and a record came in its place")
                    .isEqualTo(Map.of(PARTITION, 7L));
        }
    }

    private static Position emptyFrom(long offset, Properties properties) {
        LogPartition partition = new LogPartition("logs", "id", 0);
        Optional<Position> found = Optional.empty();
        try (KafkaLogEndReader logEnds = new KafkaLogEndReader(properties, "log-ends")) {
            // Kafka writes the marker after its answer
            while (found.isEmpty()) {
                found = Optional.ofNullable(
                        logEnds.read(Map.of(partition, offset)).get(partition));
            }
        }
        return found.get();
    }

    private static void abort(Service kafka) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address(), "transactional.id", "aborting"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("logs", 0, null, new byte[] {1})).get();
            producer.abortTransaction();
        }
    }

    private static int leaderEpoch(Admin admin) throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.latest()))
                .partitionResult(PARTITION)
                .get()
                .leaderEpoch()
                .orElseThrow();
    }

    private static void send(Service kafka, int records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>("logs", 0, null, new byte[] {1}))
                        .get();
            }
        }
    }
}
