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
 * Reads spans of a stream's log, of all partitions side by side and of each in order. Not thread-safe.
 *
 * <p>A span ends when the consumer's position reaches its end, not when a record does: markers of transactions and
 * aborted records are never handed out.
 */
final class LogCursor implements Closeable {
    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * What came of one partition.
     *
     * @param records the next records
     * @param position every committed record below this offset that is in the spans has been handed out
     */
    record Batch(int partition, List<ConsumerRecord<byte[], byte[]>> records, long position) {}

    private final KafkaLogs tail;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String stream;
    private final Duration patience;
    private final Fetch fetch;
    private final Map<TopicPartition, Deque<OffsetSpan>> spans = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    /** How long Kafka gave nothing while it was asked. */
    private long waitedNanos;

    private boolean failed;

    /** @param wanted spans that are not empty, of each partition in order and without overlap */
    LogCursor(KafkaLogs tail, String stream, List<OffsetSpan> wanted, Duration patience) {
        this.tail = tail;
        this.stream = stream;
        this.patience = patience;
        spans.putAll(wanted.stream()
                .collect(groupingBy(
                        span -> new TopicPartition(stream, span.partition()), toCollection(ArrayDeque::new))));
        fetch = Fetch.of(wanted);
        consumer = tail.borrow(fetch);
        try {
            consumer.assign(spans.keySet());
            consumer.resume(spans.keySet());
            spans.keySet().forEach(this::seekToSpan);
        } catch (RuntimeException e) {
            tail.discard(consumer);
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
     * Waits a moment for what comes next.
     *
     * @throws HotTierException if records are gone, or nothing came for too long
     */
    List<Batch> poll() {
        boolean read = false;
        try {
            long begun = System.nanoTime();
            List<Batch> batches = batches(consumer.poll(POLL));
            waitedNanos = batches.isEmpty() ? waitedNanos + System.nanoTime() - begun : 0;
            checkPatience();
            read = true;
            return batches;
        } catch (InvalidOffsetException e) {
            throw new HotTierException(
                    Kind.GONE,
                    "Kafka at %s no longer has rows of %s that are in no LogBlock this query knows; run it again: if that fails too, Kafka's retention removed rows before they were archived"
                            .formatted(tail.servers(), e.partitions()),
                    e);
        } catch (KafkaException e) {
            throw tail.unavailable("read topic '%s'".formatted(stream), e);
        } finally {
            failed |= !read;
        }
    }

    private void checkPatience() {
        if (waitedNanos > patience.toNanos()) {
            throw new HotTierException(
                    Kind.UNAVAILABLE,
                    "Kafka at %s: nothing came of %s for %d s"
                            .formatted(tail.servers(), spans.keySet(), patience.toSeconds()));
        }
    }

    private List<Batch> batches(ConsumerRecords<byte[], byte[]> records) {
        List<Batch> batches = new ArrayList<>();
        for (TopicPartition partition : List.copyOf(spans.keySet())) {
            long end = spans.get(partition).getFirst().to();
            long position = Math.min(consumer.position(partition), end);
            if (position > positions.put(partition, position)) {
                List<ConsumerRecord<byte[], byte[]>> wanted = below(end, records.records(partition));
                if (position == end) {
                    position = endSpan(partition);
                }
                batches.add(new Batch(partition.partition(), wanted, position));
            }
        }
        return batches;
    }

    /** Goes to the partition's next span, and tells where that begins. */
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
            tail.discard(consumer);
        } else {
            tail.giveBack(consumer, fetch);
        }
    }
}
