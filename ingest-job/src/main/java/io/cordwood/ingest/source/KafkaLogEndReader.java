package io.cordwood.ingest.source;

import io.cordwood.hot.fetch.BoundedFetches;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.source.ReadHistory.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads log ends with a consumer of its own, which reads committed records only. The consumer's position passes
 * transaction markers and aborted records without returning them, and never passes an open transaction: if the position
 * advanced without a record, there is none.
 */
final class KafkaLogEndReader implements LogEndReader {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaLogEndReader.class);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<byte[], byte[]> consumer;

    /**
     * Connects to Kafka.
     *
     * @param properties Kafka client properties, {@code bootstrap.servers} among them
     * @param clientId name of the consumer in Kafka's logs and metrics
     */
    KafkaLogEndReader(Properties properties, String clientId) {
        Properties own = new Properties();
        own.putAll(properties);
        own.remove(ConsumerConfig.GROUP_ID_CONFIG);
        own.setProperty(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        own.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        own.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        own.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        // Only the existence of a record matters, so little is fetched.
        own.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");
        own.setProperty(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(1 << 20));
        own.setProperty(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        consumer = BoundedFetches.bounded(
                new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    @Override
    public Map<LogPartition, Position> read(Map<LogPartition, Long> positions) {
        Map<TopicPartition, Long> starts = new HashMap<>();
        positions.forEach((partition, position) -> starts.put(topicPartition(partition), position));
        // The client keeps leader epochs only for assigned partitions; otherwise it warns each time.
        consumer.assign(starts.keySet());
        // For a consumer of committed records these are the last stable offsets.
        Map<TopicPartition, Long> ends = consumer.endOffsets(starts.keySet(), REQUEST_TIMEOUT);
        starts.entrySet().removeIf(start -> ends.get(start.getKey()) <= start.getValue());
        if (starts.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, Position> reached = readTo(starts, ends);
        Map<LogPartition, Position> answers = new HashMap<>();
        for (LogPartition partition : positions.keySet()) {
            Position position = reached.get(topicPartition(partition));
            if (position != null) {
                answers.put(partition, position);
            }
        }
        return answers;
    }

    private static TopicPartition topicPartition(LogPartition partition) {
        return new TopicPartition(partition.stream(), partition.partition());
    }

    private Map<TopicPartition, Position> readTo(Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Position> reached = new HashMap<>();
        Set<TopicPartition> open = new HashSet<>(starts.keySet());
        long started = System.nanoTime();
        try {
            consumer.assign(open);
            starts.forEach(consumer::seek);
            while (!open.isEmpty() && System.nanoTime() - started < READ_TIMEOUT.toNanos()) {
                Set<TopicPartition> done = poll(open, starts, ends, reached);
                open.removeAll(done);
                consumer.pause(done);
            }
        } finally {
            consumer.unsubscribe();
        }
        return reached;
    }

    /** Continues reading and returns the partitions that need no further reading. */
    private Set<TopicPartition> poll(
            Set<TopicPartition> open,
            Map<TopicPartition, Long> starts,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Position> reached) {
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(POLL);
        } catch (InvalidOffsetException e) {
            // No result, so that the partition is read again.
            LOG.warn(
                    "Cannot determine whether {} held records at the source's position: {}",
                    e.partitions(),
                    e.getMessage());
            return e.partitions();
        }
        Set<TopicPartition> done = new HashSet<>();
        for (TopicPartition partition : open) {
            List<ConsumerRecord<byte[], byte[]>> found = records.records(partition);
            if (!found.isEmpty()) {
                reached.put(
                        partition,
                        position(found.getFirst().offset(), found.getFirst().leaderEpoch()));
                done.add(partition);
                continue;
            }
            OffsetAndMetadata next = records.nextOffsets().get(partition);
            if (next != null && next.offset() > starts.get(partition)) {
                reached.put(partition, position(next.offset(), next.leaderEpoch()));
            }
            if (consumer.position(partition, REQUEST_TIMEOUT) >= ends.get(partition)) {
                done.add(partition);
            }
        }
        return done;
    }

    private static Position position(long offset, Optional<Integer> leaderEpoch) {
        return new Position(offset, leaderEpoch.orElse(LogVersion.NO_EPOCH));
    }

    @Override
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
