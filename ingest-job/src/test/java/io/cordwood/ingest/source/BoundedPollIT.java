package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.fetch.BoundedFetches;
import io.cordwood.hot.fetch.BoundedPoll;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What a consumer hands over of records that were compressed to next to nothing. */
class BoundedPollIT {
    private static final int LARGE = 3 << 20;
    private static final int RECORDS = 40;

    @Test
    void noPollHandsOverMoreThanItsBytesAndNoneIsLost() throws Exception {
        try (Service broker = TestServices.kafka();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            KafkaTopics.create(
                    admin, new NewTopic("large", 2, (short) 1).configs(Map.of("max.message.bytes", "16777216")));
            produce(broker.address());
            Map<Integer, List<Long>> offsets = new HashMap<>();
            for (ConsumerRecords<byte[], byte[]> poll : poll(broker.address())) {
                long bytes = 0;
                int values = 0;
                for (ConsumerRecord<byte[], byte[]> one : poll) {
                    bytes += bytes(one);
                    values += one.value() == null ? 0 : 1;
                    offsets.computeIfAbsent(one.partition(), any -> new ArrayList<>())
                            .add(one.offset());
                }
                assertThat(values == 1 || bytes <= BoundedPoll.MAX_BYTES)
                        .as("%d values, %d bytes", values, bytes)
                        .isTrue();
            }
            List<Long> all = LongStream.range(0, RECORDS).boxed().toList();
            assertThat(offsets).isEqualTo(Map.of(0, all, 1, all));
        }
    }

    private static long bytes(ConsumerRecord<byte[], byte[]> one) {
        long bytes = one.key() == null ? 0 : one.key().length;
        for (Header header : one.headers()) {
            bytes += header.key().length() + header.value().length;
        }
        return bytes + (one.value() == null ? 0 : one.value().length);
    }

    /**
     * Large keys, headers and values, one of them more than a poll may have, and records without a value; batches of
     * many.
     */
    private static void produce(String address) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", address,
                        "compression.type", "zstd",
                        "linger.ms", "1000",
                        "batch.size", "8000000",
                        "buffer.memory", "268435456",
                        "max.request.size", "16777216"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int number = 0; number < RECORDS; number++) {
                for (int partition = 0; partition < 2; partition++) {
                    sent.add(producer.send(record(partition, number)));
                }
            }
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> record(int partition, int number) {
        byte[] large = new byte[LARGE];
        byte[] small = new byte[100];
        return switch (number % 6) {
            case 0 -> new ProducerRecord<>("large", partition, small, null);
            case 1 -> new ProducerRecord<>("large", partition, large, small);
            case 2 -> new ProducerRecord<>("large", partition, small, small, List.of(new RecordHeader("large", large)));
            case 3 -> new ProducerRecord<>("large", partition, small, small);
            case 4 -> new ProducerRecord<>("large", partition, null, new byte[number == 4 ? 10 << 20 : LARGE]);
            default -> new ProducerRecord<>("large", partition, null, large);
        };
    }

    private static List<ConsumerRecords<byte[], byte[]>> poll(String address) {
        Map<String, Object> properties = new HashMap<>(BoundedPoll.properties(""));
        properties.put("bootstrap.servers", address);
        List<ConsumerRecords<byte[], byte[]>> polls = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = BoundedFetches.bounded(new KafkaConsumer<>(properties))) {
            List<TopicPartition> partitions = List.of(new TopicPartition("large", 0), new TopicPartition("large", 1));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            for (int records = 0; records < 2 * RECORDS; ) {
                ConsumerRecords<byte[], byte[]> poll = consumer.poll(Duration.ofSeconds(30));
                assertThat(poll).isNotEmpty();
                records += poll.count();
                polls.add(poll);
            }
        }
        return polls;
    }
}
