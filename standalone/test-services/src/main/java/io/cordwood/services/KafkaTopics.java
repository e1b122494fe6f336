package io.cordwood.services;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates topics that accept records at once, deletes topics, and reads them. A broker tells of a partition a little
 * before it takes rows of it, and with the Kafka that is used here an idempotent producer whose first request is
 * refused then, but not its second, sends the first again and again until it gives up (KAFKA-15591).
 */
public final class KafkaTopics {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private KafkaTopics() {}

    /** Returns the topic's id once all its partitions can be written to. */
    public static Uuid create(Admin admin, NewTopic topic) throws ExecutionException, InterruptedException {
        CreateTopicsResult created = admin.createTopics(List.of(topic));
        awaitLed(admin, topic.name(), created.numPartitions(topic.name()).get());
        return created.topicId(topic.name()).get();
    }

    /** Deletes a topic, and returns once the broker does not name it any more, a little after its answer. */
    public static void delete(Admin admin, String topic) throws ExecutionException, InterruptedException {
        admin.deleteTopics(List.of(topic)).all().get();
        Waiting.until(
                "topic %s is gone".formatted(topic),
                () -> !admin.listTopics().names().get().contains(topic));
    }

    /**
     * Reads the records that a topic has now, each partition in its order.
     *
     * @param consumer reads no topic yet
     */
    public static <K, V> void forEachRecord(
            Consumer<K, V> consumer, String topic, java.util.function.Consumer<ConsumerRecord<K, V>> action) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .collect(Collectors.toList());
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
            consumer.poll(POLL).forEach(action);
        }
    }

    /** Returns once the first {@code partitions} partitions can be written to: their leader says where they end. */
    public static void awaitLed(Admin admin, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
        long giveUp = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                admin.listOffsets(ends).all().get();
                return;
            } catch (ExecutionException e) {
                // The client asks again if a partition has no leader yet, but not if the topic is not known yet
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > giveUp) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }
}
