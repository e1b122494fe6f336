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
 * Looks whether Kafka still has what was read of partitions. A broker that loses power may lack records that it has
 * acknowledged, and gives their offsets to others: then the leader of the last record that was read left off below it.
 * Stateless.
 */
final class ReadHistory {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Properties properties;

    /**
     * Where reading stood.
     *
     * @param offset the offset after what was read last: a record, or what nobody is handed, a transaction's marker
     * @param leaderEpoch the epoch of the leader in whose log that stood
     */
    record Position(long offset, int leaderEpoch) {
        /** Nothing was read, or it is not known under which leader. */
        static final Position UNKNOWN = new Position(0, LogVersion.NO_EPOCH);

        boolean isKnown() {
            return leaderEpoch != LogVersion.NO_EPOCH;
        }

        /** The one further on, if both are known, or else the one that is. */
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
     * Looks at these positions. Blocks, for a bounded time.
     *
     * @return what was taken back, by partition: the offset up to which the log is still the one that was read
     * @throws IngestException if Kafka cannot be asked
     */
    Map<TopicPartition, Long> takenBack(Map<TopicPartition, Position> positions) {
        Map<TopicPartition, Position> known = new HashMap<>(positions);
        known.values().removeIf(position -> !position.isKnown());
        Map<TopicPartition, Long> takenBack =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        if (known.isEmpty()) {
            return takenBack;
        }
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            known.forEach((partition, position) ->
                    divergence(consumer, partition, position).ifPresent(offset -> takenBack.put(partition, offset)));
            return takenBack;
        } catch (KafkaException e) {
            throw new IngestException(
                    "Kafka at %s: cannot find whether it still has what was read of %s: %s"
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
        // Brings the present leader, without which a position is taken as it is
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
