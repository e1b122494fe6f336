package io.cordwood.systemtests.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.KafkaRecord;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** All records of the stream's topic, as the broker has them at the end of a run. Immutable. */
final class ShippedLog {
    private static final Pattern IDENTITY = Pattern.compile("\"producer\":(\\d+),\"n\":(\\d+),");

    private final List<List<Shipped>> partitions;

    /**
     * A record.
     *
     * @param appendMillis when the broker appended it
     * @param token its token; empty if it has none
     * @param record as decoders get it
     */
    record Shipped(
            int partition,
            long offset,
            long appendMillis,
            int tenant,
            int producer,
            int number,
            String token,
            KafkaRecord record) {}

    private ShippedLog(List<List<Shipped>> partitions) {
        this.partitions = partitions;
    }

    /**
     * Reads them.
     *
     * @param kafka properties of a client that may read the stream
     */
    static ShippedLog read(Map<String, Object> kafka, String stream) {
        List<List<Shipped>> partitions = new ArrayList<>();
        readAll(kafka, stream, record -> {
            while (partitions.size() <= record.partition()) {
                partitions.add(new ArrayList<>());
            }
            partitions.get(record.partition()).add(shipped(record));
        });
        return new ShippedLog(partitions);
    }

    /** Gives all records of a topic to a consumer, those of each partition in their order. */
    static void readAll(Map<String, Object> kafka, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                consumer.poll(Duration.ofSeconds(1)).forEach(each);
            }
        }
    }

    private static Shipped shipped(ConsumerRecord<byte[], byte[]> record) {
        Matcher identity = IDENTITY.matcher(new String(record.value(), UTF_8));
        if (!identity.find()) {
            throw new IllegalStateException(
                    "The record at offset %d of partition %d is no row".formatted(record.offset(), record.partition()));
        }
        Header token = record.headers().lastHeader(KafkaRecord.TOKEN_HEADER);
        byte[] tokenBytes = token == null ? new byte[0] : token.value();
        return new Shipped(
                record.partition(),
                record.offset(),
                record.timestamp(),
                NumberedRow.rank(new String(record.key(), UTF_8)),
                Integer.parseInt(identity.group(1)),
                Integer.parseInt(identity.group(2)),
                new String(tokenBytes, US_ASCII).intern(),
                new KafkaRecord(record.offset(), record.timestamp() * 1000, record.key(), record.value())
                        .withToken(tokenBytes));
    }

    /** The records of each partition. */
    List<List<Shipped>> partitions() {
        return partitions;
    }

    /** The record at an offset. There are no gaps, because nobody ships in transactions. */
    Optional<Shipped> at(int partition, long offset) {
        if (partition < 0 || partition >= partitions.size()) {
            return Optional.empty();
        }
        List<Shipped> records = partitions.get(partition);
        return offset < 0 || offset >= records.size() ? Optional.empty() : Optional.of(records.get((int) offset));
    }

    long size() {
        return partitions.stream().mapToLong(List::size).sum();
    }
}
