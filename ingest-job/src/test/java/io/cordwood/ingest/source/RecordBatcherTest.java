package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;

class RecordBatcherTest {
    private final Handed handed = new Handed();
    private final Sent sent = new Sent();
    private final RecordBatcher batcher = new RecordBatcher();

    @Test
    void sendsWhatIsThereAtOnce() throws Exception {
        handed.records.add(Records.json(0, 1, "acme", 0));
        handed.records.add(Records.json(0, 2, "acme", 0));

        assertThat(poll()).isEqualTo(InputStatus.NOTHING_AVAILABLE);

        assertThat(sent.offsets()).containsExactly("logs-0 [1, 2]");
        assertThat(poll()).isEqualTo(InputStatus.NOTHING_AVAILABLE);
        assertThat(sent.offsets()).hasSize(1);
    }

    @Test
    void keepsPartitionsApartAndTheirOrder() throws Exception {
        handed.records.add(Records.json(0, 1, "acme", 0));
        handed.records.add(Records.json(1, 7, "acme", 0));
        handed.records.add(Records.json(1, 8, "acme", 0));
        handed.records.add(Records.json(0, 2, "acme", 0));

        poll();

        assertThat(sent.offsets()).containsExactly("logs-0 [1]", "logs-1 [7, 8]", "logs-0 [2]");
    }

    @Test
    void tellsATopicThatWasMadeAnewFromTheOneBefore() throws Exception {
        RawRecord record = Records.json(0, 1, "acme", 0);
        handed.records.add(record);
        handed.records.add(new RawRecord("another", record.leaderEpoch(), record.kafka()));

        poll();

        assertThat(sent.events)
                .extracting(event -> event.partition().topicId())
                .containsExactly(Records.TOPIC_ID, "another");
    }

    @Test
    void tellsRecordsOfOneLeaderFromThoseOfTheNext() throws Exception {
        RawRecord record = Records.json(0, 1, "acme", 0);
        handed.records.add(record);
        handed.records.add(
                new RawRecord(record.topicId(), 8, Records.json(0, 4, "acme", 0).kafka()));

        poll();

        assertThat(sent.offsets()).containsExactly("logs-0 [1]", "logs-0 [4]");
        assertThat(batcher.position(record.partition())).contains(new ReadHistory.Position(5, 8));
    }

    @Test
    void asksForNoMoreThanIsEnough() throws Exception {
        int records = 3 * RecordBatcher.ENOUGH_BYTES / 100;
        for (int i = 0; i < records; i++) {
            handed.records.add(Records.value(0, i, "acme", 0, "x".repeat(100)));
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
            handed.records.add(new RawRecord(
                    Records.TOPIC_ID,
                    Records.LEADER_EPOCH,
                    new KafkaRecord(Records.STREAM, 0, i, 0, new byte[0], new byte[0])));
        }
        poll();
        assertThat(sent.records()).isBetween(10, 1000);
    }

    @Test
    void sendsARecordThatIsMoreThanEnoughAlone() throws Exception {
        handed.records.add(Records.value(0, 1, "acme", 0, "x".repeat(RecordBatcher.ENOUGH_BYTES)));
        handed.records.add(Records.json(0, 2, "acme", 0));

        assertThat(poll()).isEqualTo(InputStatus.MORE_AVAILABLE);
        assertThat(sent.offsets()).containsExactly("logs-0 [1]");
    }

    private InputStatus poll() throws Exception {
        return batcher.poll(handed, sent);
    }

    /** Hands its records over one by one, as the connector's reader does. */
    private static final class Handed implements SourceReader<RawRecord, KafkaPartitionSplit> {
        final Deque<RawRecord> records = new ArrayDeque<>();

        @Override
        public InputStatus pollNext(ReaderOutput<RawRecord> output) {
            RawRecord next = records.poll();
            if (next == null) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            output.createOutputForSplit(next.partition().toString()).collect(next, 0);
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
        final List<RawRecords> events = new ArrayList<>();

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
            events.add((RawRecords) event);
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
