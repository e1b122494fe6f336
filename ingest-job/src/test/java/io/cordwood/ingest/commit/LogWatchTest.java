package io.cordwood.ingest.commit;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OpenTransaction;
import io.cordwood.ingest.source.TopicState;
import io.cordwood.ingest.source.TopicState.PartitionLog;
import io.cordwood.ingest.testing.MemoryTableStorage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogWatchTest {
    private static final LogPartition P0 = new LogPartition(STREAM, TOPIC_ID, 0);
    private static final LogPartition P1 = new LogPartition(STREAM, TOPIC_ID, 1);

    private final MemoryTopicInspector logs = new MemoryTopicInspector();
    private final MemoryTableStorage storage = new MemoryTableStorage();

    @Test
    void aTopicThatCannotBeInspectedHidesNoOther() {
        try (LogWatch watch = watch()) {
            watch.watch("a-stream");
            watch.watch("z-stream");
            logs.unreachable.addAll(Set.of("a-stream", "z-stream"));
            inspected(Optional.of("Topic 'logs' has cleanup.policy=compact"), -1, Map.of());
            watch.check();
            assertThat(watch.unsafeTopics()).isEqualTo(1);
        }
    }

    @Test
    void settingsThatWereChangedAreCounted() {
        try (LogWatch watch = watch()) {
            inspected(Optional.empty(), -1, Map.of());
            watch.check();
            assertThat(watch.unsafeTopics()).isZero();

            inspected(Optional.of("Topic 'logs' has cleanup.policy=compact"), -1, Map.of());
            watch.check();
            assertThat(watch.unsafeTopics()).isEqualTo(1);

            inspected(Optional.empty(), -1, Map.of());
            watch.check();
            assertThat(watch.unsafeTopics()).isZero();
        }
    }

    @Test
    void bytesThatWaitAreMeasuredAgainstThoseThatKafkaKeeps() {
        try (LogWatch watch = watch()) {
            storage.advanceArchivedThrough(STREAM, Map.of(P0.id(), 1000L, P1.id(), 100L));
            Map<Integer, PartitionLog> partitions =
                    Map.of(0, new PartitionLog(500, 1000, 1000, 1 << 30), 1, new PartitionLog(0, 400, 400, 1 << 30));
            inspected(Optional.empty(), -1, partitions);
            watch.check();
            assertThat(watch.retentionUsedPercent()).isZero();

            // Three quarters of P1's log wait, nothing of P0's.
            inspected(Optional.empty(), 1 << 30, partitions);
            watch.check();
            assertThat(watch.retentionUsedPercent()).isEqualTo(75);

            storage.advanceArchivedThrough(STREAM, Map.of(P1.id(), 300L));
            watch.check();
            assertThat(watch.retentionUsedPercent()).isEqualTo(25);
        }
    }

    @Test
    void aTransactionThatHoldsAPartitionForTwoChecksIsCounted() {
        try (LogWatch watch = watch()) {
            logs.transactions.put(0, List.of(new OpenTransaction(7, "shipper-3", 10)));
            inspected(
                    Optional.empty(), -1, Map.of(0, new PartitionLog(0, 10, 20, 0), 1, new PartitionLog(0, 10, 20, 0)));
            watch.check();
            assertThat(watch.heldPartitions()).isZero();

            // P1's transactions come and go.
            inspected(
                    Optional.empty(), -1, Map.of(0, new PartitionLog(0, 10, 30, 0), 1, new PartitionLog(0, 25, 30, 0)));
            watch.check();
            assertThat(watch.heldPartitions()).isEqualTo(1);

            inspected(Optional.empty(), -1, Map.of(0, new PartitionLog(0, 30, 30, 0)));
            watch.check();
            assertThat(watch.heldPartitions()).isZero();
        }
    }

    /** Its offsets begin at 0 again: that the old one was archived says nothing of it. */
    @Test
    void aTopicThatWasMadeAnewIsAnother() {
        try (LogWatch watch = watch()) {
            storage.advanceArchivedThrough(STREAM, Map.of(P0.id(), 1000L));
            logs.states.put(
                    STREAM,
                    new TopicState("another", Optional.empty(), 100, Map.of(0, new PartitionLog(0, 20, 20, 90))));
            watch.check();
            assertThat(watch.retentionUsedPercent()).isEqualTo(90);
        }
    }

    private LogWatch watch() {
        LogWatch watch = new LogWatch(logs, storage);
        watch.watch(STREAM);
        return watch;
    }

    private void inspected(Optional<String> problem, long retentionBytes, Map<Integer, PartitionLog> partitions) {
        logs.states.put(STREAM, new TopicState(TOPIC_ID, problem, retentionBytes, partitions));
    }
}
