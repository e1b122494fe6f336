package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.testing.MemoryTableStorage;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StartPositionsTest {
    private static final LogPartition PARTITION = new LogPartition("logs", "id", 3);

    @Test
    void startsAtTheBeginningOfAWholeLog() {
        assertThat(resolve(OptionalLong.empty(), OptionalLong.empty(), 0)).isZero();
    }

    @Test
    void startsAtArchivedThrough() {
        assertThat(resolve(OptionalLong.empty(), OptionalLong.of(10), 0)).isEqualTo(10);
        assertThat(resolve(OptionalLong.empty(), OptionalLong.of(10), 10)).isEqualTo(10);
    }

    @Test
    void goesOnFromTheCheckpointUnlessArchivedThroughIsAhead() {
        assertThat(resolve(OptionalLong.of(20), OptionalLong.of(10), 5)).isEqualTo(20);
        assertThat(resolve(OptionalLong.of(5), OptionalLong.of(10), 0)).isEqualTo(10);
    }

    @Test
    void jumpsToTheStartOfTheLogOnlyBelowArchivedThrough() {
        assertThat(resolve(OptionalLong.of(5), OptionalLong.of(10), 8)).isEqualTo(10);
        assertThatThrownBy(() -> resolve(OptionalLong.of(5), OptionalLong.of(10), 11))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Partition logs-3: Kafka deleted offsets [10, 11) before they were archived; to continue without them, start once with --accept-loss true");
    }

    @Test
    void asksTheOperatorAboutTruncatedRecords() {
        TopicPartition partition = new TopicPartition("logs", 3);
        assertThatThrownBy(() -> StartPositions.truncated(partition, 20, 15, false))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Partition logs-3: Kafka lost acknowledged records that were read: offsets [15, 20). New records that Kafka stored at these offsets would be skipped; to skip them, start once with --accept-loss true");
        assertThatCode(() -> StartPositions.truncated(partition, 20, 15, true)).doesNotThrowAnyException();
    }

    @Test
    void asksTheOperatorAboutALogWithoutBeginning() {
        assertThatThrownBy(() -> resolve(OptionalLong.empty(), OptionalLong.empty(), 7))
                .isInstanceOf(IngestException.class)
                .hasMessageStartingWith("Partition logs-3 was never archived and its log starts at offset 7");
        assertThat(StartPositions.resolve(PARTITION, OptionalLong.empty(), OptionalLong.empty(), 7, true))
                .isEqualTo(7);
    }

    @Test
    void comparesLogsWithArchivedThroughBeforeACheckpointIsLeftOut() {
        MemoryTableStorage storage = new MemoryTableStorage();
        LogPartition archived = new LogPartition("logs", "id", 4);
        storage.advanceArchivedThrough("logs", Map.of(archived.id(), 10L));
        assertThat(StartPositions.lostWithoutCheckpoint(Map.of(PARTITION, 0L, archived, 10L), storage))
                .isEmpty();
        assertThat(StartPositions.lostWithoutCheckpoint(Map.of(PARTITION, 0L, archived, 11L), storage))
                .contains("Partition logs-4: Kafka deleted offsets [10, 11) before they were archived");
        assertThat(StartPositions.lostWithoutCheckpoint(Map.of(PARTITION, 7L, archived, 0L), storage))
                .contains("Partition logs-3 was never archived and its log starts at offset 7: rows below may be lost");
    }

    @Test
    void rowsOfATopicMadeAnewMayBeInTheCheckpointOnly() {
        MemoryTableStorage storage = new MemoryTableStorage();
        LogPartition before = new LogPartition("logs", "before", 3);
        storage.advanceArchivedThrough("logs", Map.of(before.id(), 10L));
        assertThat(StartPositions.lostWithoutCheckpoint(Map.of(PARTITION, 0L), storage))
                .contains("Topic 'logs' was recreated: rows of the earlier one may be in the checkpoint only");
        storage.advanceArchivedThrough("logs", Map.of(before.id(), TableOffsets.END));
        assertThat(StartPositions.lostWithoutCheckpoint(Map.of(PARTITION, 0L), storage))
                .isEmpty();
    }

    private static long resolve(OptionalLong checkpointed, OptionalLong archivedThrough, long logStart) {
        return StartPositions.resolve(PARTITION, checkpointed, archivedThrough, logStart, false);
    }
}
