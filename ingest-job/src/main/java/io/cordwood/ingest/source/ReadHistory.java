package io.cordwood.ingest.source;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.runtime.IngestException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Checks whether Kafka still has the records that were read of partitions. A broker that loses power may lack records
 * that it has acknowledged, and reuses their offsets: then the leader of the last record that was read ended below it.
 * Stateless.
 */
final class ReadHistory {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Properties properties;

    /**
     * A position of reading.
     *
     * @param offset the offset after the last record, or after a transaction's marker, which Kafka does not return
     * @param leaderEpoch the epoch of the leader whose log held it
     */
    record Position(long offset, int leaderEpoch) {
        /** Nothing was read, or the leader is unknown. */
        static final Position UNKNOWN = new Position(0, LogVersion.NO_EPOCH);

        boolean isKnown() {
            return leaderEpoch != LogVersion.NO_EPOCH;
        }

        /** The later position, if both are known, or else the known one. */
        Position or(Position other) {
            boolean isBehind = !isKnown() || other.offset > offset;
            return other.isKnown() && isBehind ? other : this;
        }
    }

    /** @param properties Kafka client properties, {@code bootstrap.servers} among them */
    ReadHistory(Properties properties) {
        this.properties = properties;
    }

    /**
     * Checks these positions. Blocks, for a bounded time.
     *
     * @return the truncated partitions: for each the offset up to which the log is still the one that was read
     * @throws IngestException if Kafka does not answer
     */
    Map<TopicPartition, Long> truncated(Map<TopicPartition, Position> positions) {
        Map<TopicPartition, Position> known = new HashMap<>(positions);
        known.values().removeIf(position -> !position.isKnown());
        Map<TopicPartition, Long> truncated =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        if (known.isEmpty()) {
            return truncated;
        }
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            known.forEach((partition, position) ->
                    divergence(consumer, partition, position).ifPresent(offset -> truncated.put(partition, offset)));
            return truncated;
        } catch (KafkaException e) {
            throw new IngestException(
                    "Kafka at %s: cannot determine whether it still has the records that were read of %s: %s"
                            .formatted(
                                    properties.getProperty(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG),
                                    known.keySet(),
                                    e.getMessage()),
                    e);
        }
    }

    private static Optional<Long> divergence(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Position position) {
        consumer.assign(Set.of(partition));
        // Fetches the current leader; without it the client accepts any position
        consumer.endOffsets(Set.of(partition), TIMEOUT);
        consumer.seek(partition, new OffsetAndMetadata(position.offset(), Optional.of(position.leaderEpoch()), ""));
        try {
            consumer.position(partition, TIMEOUT);
            return Optional.empty();
        } catch (LogTruncationException e) {
            OffsetAndMetadata divergent = e.divergentOffsets().get(partition);
            return Optional.of(divergent == null ? 0 : divergent.offset());
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        Properties own = new Properties();
        own.putAll(properties);
        own.remove(ConsumerConfig.GROUP_ID_CONFIG);
        own.setProperty(ConsumerConfig.CLIENT_ID_CONFIG, "cordwood-ingest-history");
        own.setProperty(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        own.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        own.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
