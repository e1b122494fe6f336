package io.cordwood.trino;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of a real Kafka, and what tests do with it. */
final class SampleTopic implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Service kafka;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    private SampleTopic(String name, Service kafka) {
        this.name = name;
        this.kafka = kafka;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
        this.producer = producer(Map.of());
    }

    static SampleTopic create(Service kafka, String name, int partitions) throws Exception {
        SampleTopic topic = new SampleTopic(name, kafka);
        topic.create(partitions);
        return topic;
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> further) {
        Map<String, Object> properties = new LinkedHashMap<>(further);
        properties.put("bootstrap.servers", kafka.address());
        properties.put("linger.ms", 5);
        properties.put("max.request.size", 20 << 20);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Makes the topic, anew if it was deleted. */
    void create(int partitions) throws ExecutionException, InterruptedException {
        KafkaTopics.create(
                admin,
                new NewTopic(name, partitions, (short) 1)
                        .configs(Map.of("message.timestamp.type", "LogAppendTime", "max.message.bytes", "20000000")));
    }

    void delete() throws ExecutionException, InterruptedException {
        KafkaTopics.delete(admin, name);
    }

    void grow(int partitions) throws ExecutionException, InterruptedException {
        admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
        KafkaTopics.awaitLed(admin, name, partitions);
    }

    String id() throws ExecutionException, InterruptedException {
        return admin.describeTopics(List.of(name))
                .topicNameValues()
                .get(name)
                .get()
                .topicId()
                .toString();
    }

    /** Sends rows to a partition and waits until Kafka has acknowledged them all. */
    void send(String tenantId, int partition, List<SampleRow> rows) throws Exception {
        await(send(producer, tenantId, partition, rows));
    }

    /** Sends bytes as they are. */
    void send(String tenantId, int partition, byte[] value) throws Exception {
        await(List.of(producer.send(record(tenantId, partition, value))));
    }

    /** Begins a transaction with rows; whoever gets it commits or aborts it. */
    KafkaProducer<byte[], byte[]> begin(String tenantId, int partition, List<SampleRow> rows) throws Exception {
        KafkaProducer<byte[], byte[]> transactional =
                producer(Map.of("transactional.id", UUID.randomUUID().toString()));
        transactional.initTransactions();
        transactional.beginTransaction();
        await(send(transactional, tenantId, partition, rows));
        return transactional;
    }

    private List<Future<RecordMetadata>> send(
            KafkaProducer<byte[], byte[]> through, String tenantId, int partition, List<SampleRow> rows) {
        return rows.stream()
                .map(row -> through.send(record(tenantId, partition, json(row))))
                .toList();
    }

    private static void await(List<Future<RecordMetadata>> sent) throws Exception {
        for (Future<RecordMetadata> record : sent) {
            record.get();
        }
    }

    private ProducerRecord<byte[], byte[]> record(String tenantId, int partition, byte[] value) {
        return new ProducerRecord<>(name, partition, tenantId.getBytes(StandardCharsets.UTF_8), value);
    }

    private static byte[] json(SampleRow row) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("ts", Instant.EPOCH.plus(row.micros(), ChronoUnit.MICROS).toString());
        members.putAll(row.values());
        try {
            return JSON.writeValueAsBytes(members);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not JSON: " + row, e);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
