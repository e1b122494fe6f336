package io.cordwood.ingest.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.record.KafkaRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordBatcherTest {
    private final TopicIdGuard topicIds = new TopicIdGuard();
    private final Handed handed = new Handed();
    private final Sent sent = new Sent();
    private final RecordBatcher batcher = new RecordBatcher(topicIds);

    @BeforeEach
    void know() {
        topicIds.requireSame(Map.of("logs", "id-of-logs", "audit", "id-of-audit"));
    }

    @Test
    void sendsWhatIsThereAtOnce() throws Exception {
        handed.records.add(record(0, 1));
        handed.records.add(record(0, 2));

        assertThat(poll()).isEqualTo(InputStatus.NOTHING_AVAILABLE);

        assertThat(sent.offsets()).containsExactly("logs-0 [1, 2]");
        assertThat(poll()).isEqualTo(InputStatus.NOTHING_AVAILABLE);
        assertThat(sent.offsets()).hasSize(1);
    }

    @Test
    void keepsPartitionsApartAndTheirOrder() throws Exception {
        handed.records.add(record(0, 1));
        handed.records.add(record(1, 7));
        handed.records.add(record(1, 8));
        handed.records.add(record(0, 2));

        poll();

        assertThat(sent.offsets()).containsExactly("logs-0 [1]", "logs-1 [7, 8]", "logs-0 [2]");
    }

    @Test
    void keepsTopicsApart() throws Exception {
        handed.records.add(record(0, 1));
        handed.records.add(record("audit", 0, 2, 2, "{}"));

        poll();

        assertThat(sent.events)
                .extracting(event -> event.partition().topicId())
                .containsExactly("id-of-logs", "id-of-audit");
    }

    @Test
    void refusesARecordOfAnUnknownTopic() {
        handed.records.add(record("unknown", 0, 1, 2, "{}"));

        assertThatThrownBy(this::poll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The id of topic 'unknown' is not known");
    }

    @Test
    void tellsRecordsOfOneLeaderFromThoseOfTheNext() throws Exception {
        handed.records.add(record(0, 1));
        handed.records.add(record("logs", 0, 4, 8, "{}"));

        poll();

        assertThat(sent.offsets()).containsExactly("logs-0 [1]", "logs-0 [4]");
        assertThat(batcher.position(new LogPartition("logs", "id-of-logs", 0)))
                .contains(new ReadHistory.Position(5, 8));
    }

    @Test
    void asksForNoMoreThanIsEnough() throws Exception {
        int records = 3 * RecordBatcher.ENOUGH_BYTES / 100;
        for (int i = 0; i < records; i++) {
            handed.records.add(record("logs", 0, i, 2, "x".repeat(100)));
        }

        assertThat(poll()).isEqualTo(InputStatus.MORE_AVAILABLE);
        // Nothing is kept: a checkpoint now takes the reader's position, which is past all that it handed over.
        assertThat(sent.records()).isEqualTo(records - handed.records.size());
        assertThat(sent.records()).isBetween(records / 10, records / 3);

        while (poll() == InputStatus.MORE_AVAILABLE) {}
        assertThat(sent.records()).isEqualTo(records);
    }

    @Test
    void asksForNoMoreThanIsEnoughOfRecordsWithoutKeyAndValue() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            handed.records.add(record("logs", 0, i, 2, ""));
        }
        poll();
        assertThat(sent.records()).isBetween(10, 1000);
    }

    @Test
    void sendsARecordThatIsMoreThanEnoughAlone() throws Exception {
        handed.records.add(record("logs", 0, 1, 2, "x".repeat(RecordBatcher.ENOUGH_BYTES)));
        handed.records.add(record(0, 2));

        assertThat(poll()).isEqualTo(InputStatus.MORE_AVAILABLE);
        assertThat(sent.offsets()).containsExactly("logs-0 [1]");
    }

    /** It is in memory once, and is sent once. */
    @Test
    void countsATokenOnceForTheRecordsInARow() throws Exception {
        for (int i = 0; i < 1000; i++) {
            handed.records.add(withToken(record(0, i), "t".repeat(400)));
        }
        poll();
        assertThat(sent.records()).isGreaterThan(RecordBatcher.ENOUGH_BYTES / 400 * 2);
    }

    @Test
    void countsTokensThatDiffer() throws Exception {
        for (int i = 0; i < 1000; i++) {
            handed.records.add(withToken(record(0, i), Integer.toString(i % 2).repeat(4096)));
        }
        poll();
        assertThat(sent.records()).isLessThanOrEqualTo(RecordBatcher.ENOUGH_BYTES / 4096 + 1);
    }

    private static ConsumerRecord<byte[], byte[]> withToken(ConsumerRecord<byte[], byte[]> record, String token) {
        record.headers().add(KafkaRecord.TOKEN_HEADER, token.getBytes(UTF_8));
        return record;
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset) {
        return record("logs", partition, offset, 2, "{\"n\":1}");
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String topic, int partition, long offset, int leaderEpoch, String value) {
        byte[] bytes = value.getBytes(UTF_8);
        return new ConsumerRecord<>(
                topic,
                partition,
                offset,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                bytes.length,
                new byte[0],
                bytes,
                new RecordHeaders(),
                Optional.of(leaderEpoch));
    }

    private InputStatus poll() throws Exception {
        return batcher.poll(handed, sent);
    }

    /** Hands its records over one by one, as the connector's reader does. */
    private static final class Handed implements SourceReader<ConsumerRecord<byte[], byte[]>, KafkaPartitionSplit> {
        final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();

        @Override
        public InputStatus pollNext(ReaderOutput<ConsumerRecord<byte[], byte[]>> output) {
            ConsumerRecord<byte[], byte[]> next = records.poll();
            if (next == null) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            output.createOutputForSplit(next.topic() + "-" + next.partition()).collect(next, 0);
            return InputStatus.MORE_AVAILABLE;
        }

        @Override
        public void start() {}

        @Override
        public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
            return List.of();
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void addSplits(List<KafkaPartitionSplit> splits) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }

    private static final class Sent implements ReaderOutput<PartitionEvent> {
        final List<RecordBatch> events = new ArrayList<>();

        List<String> offsets() {
            return events.stream()
                    .map(event -> event.partition() + " "
                            + event.records().stream().map(KafkaRecord::offset).toList())
                    .toList();
        }

        int records() {
            return events.stream().mapToInt(event -> event.records().size()).sum();
        }

        @Override
        public void collect(PartitionEvent event) {
            events.add((RecordBatch) event);
        }

        @Override
        public void collect(PartitionEvent event, long timestamp) {
            collect(event);
        }

        @Override
        public void emitWatermark(Watermark watermark) {}

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}

        @Override
        public SourceOutput<PartitionEvent> createOutputForSplit(String splitId) {
            return this;
        }

        @Override
        public void releaseOutputForSplit(String splitId) {}
    }
}
