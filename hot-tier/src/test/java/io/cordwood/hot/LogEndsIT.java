package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The end of a log whose topic changes between two queries. */
final class LogEndsIT {
    private static final String TOPIC = "logs";

    @Test
    void endsAreThoseOfTheTopicThatExists() throws Exception {
        Properties client = new Properties();
        try (Service kafka = TestServices.kafka()) {
            client.setProperty("bootstrap.servers", kafka.address());
            try (HotTier tier = new HotTier(client, DecodingPolicy.DEFAULT, 1 << 20);
                    Admin admin = Admin.create(client)) {
                assertThat(tier.end(TOPIC)).isEmpty();
                KafkaTopics.create(admin, new NewTopic(TOPIC, 1, (short) 1));
                send(client, 0, 5);
                LogEnds first = tier.end(TOPIC).orElseThrow();
                assertThat(first.ends()).isEqualTo(Map.of(0, 5L));
                send(client, 0, 2);
                assertThat(tier.end(TOPIC).orElseThrow().ends()).isEqualTo(Map.of(0, 7L));

                admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(2)))
                        .all()
                        .get();
                send(client, 1, 3);
                assertThat(tier.end(TOPIC).orElseThrow().ends()).isEqualTo(Map.of(0, 7L, 1, 3L));

                admin.deleteTopics(List.of(TOPIC)).all().get();
                awaitDeletion(admin);
                KafkaTopics.create(admin, new NewTopic(TOPIC, 2, (short) 1));
                send(client, 1, 1);
                LogEnds recreated = tier.end(TOPIC).orElseThrow();
                assertThat(recreated.topicId()).isNotEqualTo(first.topicId());
                assertThat(recreated.ends()).isEqualTo(Map.of(0, 0L, 1, 1L));

                admin.deleteTopics(List.of(TOPIC)).all().get();
                awaitDeletion(admin);
                assertThat(tier.end(TOPIC)).isEmpty();
            }
        }
    }

    private static void awaitDeletion(Admin admin) throws Exception {
        while (admin.listTopics().names().get().contains(TOPIC)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static void send(Properties client, int partition, int records) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(TOPIC, partition, "acme", "{}"))
                        .get();
            }
        }
    }
}
