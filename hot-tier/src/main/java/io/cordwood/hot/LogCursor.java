package io.cordwood.hot;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;

import io.cordwood.hot.HotTierException.Kind;
import io.cordwood.hot.log.OffsetSpan;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader of spans of a stream's log: all partitions in parallel, each of them in order. Not thread-safe.
 *
 * <p>A span ends when the consumer's position reaches its end, not when a record does: Kafka never returns transaction
 * markers and aborted records.
 */
final class LogCursor implements Closeable {
    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * The next records of one partition.
     *
     * @param records the next records
     * @param position the offset below which every committed record in the spans has been returned
     */
    record Batch(int partition, List<ConsumerRecord<byte[], byte[]>> records, long position) {}

    private final KafkaLogs logs;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String stream;
    private final Duration timeout;
    private final Fetch fetch;
    private final Map<TopicPartition, Deque<OffsetSpan>> spans = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    /** How long Kafka has returned nothing. */
    private long waitedNanos;

    private boolean failed;

    /** @param requested spans that are not empty, for each partition in order and without overlap */
    LogCursor(KafkaLogs logs, String stream, List<OffsetSpan> requested, Duration timeout) {
        this.logs = logs;
        this.stream = stream;
        this.timeout = timeout;
        spans.putAll(requested.stream()
                .collect(groupingBy(
                        span -> new TopicPartition(stream, span.partition()), toCollection(ArrayDeque::new))));
        fetch = Fetch.of(requested);
        consumer = logs.borrow(fetch);
        try {
            consumer.assign(spans.keySet());
            consumer.resume(spans.keySet());
            spans.keySet().forEach(this::seekToSpan);
        } catch (RuntimeException e) {
            logs.discard(consumer);
            throw e;
        }
    }

    private void seekToSpan(TopicPartition partition) {
        long from = spans.get(partition).getFirst().from();
        consumer.seek(partition, from);
        positions.put(partition, from);
    }

    boolean isDone() {
        return spans.isEmpty();
    }

    /**
     * Polls for the next batches.
     *
     * @throws HotTierException if records are gone, or Kafka returned nothing within the timeout
     */
    List<Batch> poll() {
        boolean read = false;
        try {
            long begun = System.nanoTime();
            List<Batch> batches = batches(consumer.poll(POLL));
            waitedNanos = batches.isEmpty() ? waitedNanos + System.nanoTime() - begun : 0;
            checkTimeout();
            read = true;
            return batches;
        } catch (InvalidOffsetException e) {
            throw new HotTierException(
                    Kind.GONE,
                    "Kafka at %s no longer has rows of %s that are in no LogBlock of this query; run the query again. If it fails again, Kafka's retention removed rows before they were archived"
                            .formatted(logs.servers(), e.partitions()),
                    e);
        } catch (KafkaException e) {
            throw logs.unavailable("read topic '%s'".formatted(stream), e);
        } finally {
            failed |= !read;
        }
    }

    private void checkTimeout() {
        if (waitedNanos > timeout.toNanos()) {
            throw new HotTierException(
                    Kind.UNAVAILABLE,
                    "Kafka at %s returned no records of %s for %d s"
                            .formatted(logs.servers(), spans.keySet(), timeout.toSeconds()));
        }
    }

    private List<Batch> batches(ConsumerRecords<byte[], byte[]> records) {
        List<Batch> batches = new ArrayList<>();
        for (TopicPartition partition : List.copyOf(spans.keySet())) {
            long end = spans.get(partition).getFirst().to();
            long position = Math.min(consumer.position(partition), end);
            if (position > positions.put(partition, position)) {
                List<ConsumerRecord<byte[], byte[]>> requested = below(end, records.records(partition));
                if (position == end) {
                    position = endSpan(partition);
                }
                batches.add(new Batch(partition.partition(), requested, position));
            }
        }
        return batches;
    }

    /** Moves to the partition's next span, and returns where that begins. */
    private long endSpan(TopicPartition partition) {
        Deque<OffsetSpan> left = spans.get(partition);
        left.removeFirst();
        if (left.isEmpty()) {
            spans.remove(partition);
            positions.remove(partition);
            consumer.pause(List.of(partition));
            return Long.MAX_VALUE;
        }
        seekToSpan(partition);
        return left.getFirst().from();
    }

    private static List<ConsumerRecord<byte[], byte[]>> below(long end, List<ConsumerRecord<byte[], byte[]>> records) {
        int count = records.size();
        while (count > 0 && records.get(count - 1).offset() >= end) {
            count--;
        }
        return records.subList(0, count);
    }

    @Override
    public void close() {
        if (failed) {
            logs.discard(consumer);
        } else {
            logs.giveBack(consumer, fetch);
        }
    }
}
