package io.cordwood.standalone.tail;

import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic of a real Kafka, and what tests do with it. */
final class TailedStream implements AutoCloseable {
    private final String name;
    private final Admin admin;
    private final KafkaProducer<String, String> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    TailedStream(Service kafka, String name, int partitions) throws Exception {
        this.name = name;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
        // As patient as a test may need: what is sent is acknowledged in the end, and sending does not wait for a
        // broker
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.address(),
                        "linger.ms",
                        5,
                        // A partition that was just made may refuse the first batch: those after it must not overtake
                        // it
                        "max.in.flight.requests.per.connection",
                        1,
                        "delivery.timeout.ms",
                        300_000,
                        "metadata.recovery.strategy",
                        "none"),
                new StringSerializer(),
                new StringSerializer());
        create(partitions);
    }

    void create(int partitions) throws Exception {
        KafkaTopics.create(
                admin,
                new NewTopic(name, partitions, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
    }

    void delete() throws Exception {
        KafkaTopics.delete(admin, name);
    }

    void grow(int partitions) throws Exception {
        admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    String id() throws Exception {
        return admin.describeTopics(List.of(name))
                .topicNameValues()
                .get(name)
                .get()
                .topicId()
                .toString();
    }

    /** Sends a record and does not wait. */
    void send(String tenantId, int partition, String value) {
        sent.add(producer.send(new ProducerRecord<>(name, partition, tenantId, value)));
    }

    /** Returns when Kafka has acknowledged all that was sent. */
    void awaitAcknowledged() throws Exception {
        for (Future<RecordMetadata> record : sent) {
            record.get();
        }
        sent.clear();
    }

    /** A row with a number and a message; of each second there are many rows. */
    static String row(int n, String message) {
        return "{\"ts\":%d,\"n\":%d,\"message\":\"%s\"}".formatted(1_700_000_000 + (n * 31) % 50, n, message);
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
