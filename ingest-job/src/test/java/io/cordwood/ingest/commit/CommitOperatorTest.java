package io.cordwood.ingest.commit;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.runtime.GroupedWork;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.SkewedClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("try") // the harness throws just anything from close()
class CommitOperatorTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final LogPartition P0 = new LogPartition(STREAM, TOPIC_ID, 0);
    private static final LogPartition P1 = new LogPartition(STREAM, TOPIC_ID, 1);

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final SkewedClock clock = new SkewedClock();

    @Test
    void commitsOnceTheCheckpointIsComplete() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 0, 10));
            job.snapshot(1, 0);
            send(job, flush(P0, "acme", 1, 10, 20));
            assertThat(storage.commits()).isZero();

            job.notifyOfCompletedCheckpoint(1);
            awaitAcknowledgements(job, 1);
            assertThat(job.extractOutputValues()).containsExactly(new Acknowledgement(P0, 0));
            assertThat(storage.tableOffset("acme", STREAM, P0.id())).isEqualTo(10);

            job.snapshot(2, 0);
            job.notifyOfCompletedCheckpoint(2);
            awaitAcknowledgements(job, 2);
            assertThat(storage.tableOffset("acme", STREAM, P0.id())).isEqualTo(20);
        }
    }

    @Test
    void commitsAllFlushesOfATableAtOnceOrderedByFrom() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "acme", 1, 10, 20));
            send(job, flush(P1, "acme", 0, 0, 5));
            send(job, flush(P0, "acme", 0, 0, 10));
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            awaitAcknowledgements(job, 3);
            assertThat(storage.commits()).isEqualTo(1);
            assertThat(storage.tableOffset("acme", STREAM, P0.id())).isEqualTo(20);
            assertThat(storage.tableOffset("acme", STREAM, P1.id())).isEqualTo(5);
        }
    }

    @Test
    void commitsWhatACheckpointHeldAfterARestart() throws Exception {
        OperatorSubtaskState state;
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 0, 10));
            state = job.snapshot(1, 0);
        }
        for (int restart = 0; restart < 2; restart++) {
            // The second time the rows are there already: the answer is the same.
            try (var job = harness()) {
                job.initializeState(state);
                job.open();
                awaitAcknowledgements(job, 1);
                assertThat(job.extractOutputValues()).containsExactly(new Acknowledgement(P0, 0));
                assertThat(storage.tableOffset("acme", STREAM, P0.id())).isEqualTo(10);
            }
        }
    }

    @Test
    void forgetsWhatItAcknowledged() throws Exception {
        OperatorSubtaskState state;
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 0, 10));
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            awaitAcknowledgements(job, 1);
            state = job.snapshot(2, 0);
        }
        int commits = storage.commits();
        try (var job = harness()) {
            job.initializeState(state);
            job.open();
            send(job, flush(P0, "other", 1, 0, 20));
            job.snapshot(3, 0);
            job.notifyOfCompletedCheckpoint(3);
            awaitAcknowledgements(job, 1);
            assertThat(job.extractOutputValues()).containsExactly(new Acknowledgement(P0, 1));
        }
        assertThat(storage.commits()).isEqualTo(commits + 1);
    }

    @Test
    void quarantinesATableAndGoesOnWithOthers() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "broken", 0, 0, 10));
            send(job, flush(P0, "fine", 1, 0, 10));
            storage.breakTenant("broken");
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            awaitAcknowledgements(job, 1);
            assertThat(job.extractOutputValues()).containsExactly(new Acknowledgement(P0, 1));
            awaitQuarantined(job, 1);

            storage.mendTenant("broken");
            job.setProcessingTime(NOW + Duration.ofMinutes(10).toMillis());
            awaitAcknowledgements(job, 2);
            awaitQuarantined(job, 0);
            assertThat(storage.tableOffset("broken", STREAM, P0.id())).isEqualTo(10);
        }
    }

    @Test
    @Timeout(60)
    void triesAgainAsSoonWhereTheClockIsSetBack() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "broken", 0, 0, 10));
            storage.breakTenant("broken");
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            awaitQuarantined(job, 1);

            storage.mendTenant("broken");
            clock.set(Duration.ofHours(-3));
            job.setProcessingTime(NOW + Duration.ofSeconds(3).toMillis());
            awaitAcknowledgements(job, 1);
        }
    }

    @Test
    void failsIfAFlushIsMissing() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 10, 20));
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            assertThatThrownBy(() -> awaitAcknowledgements(job, 1))
                    .isInstanceOf(IngestException.class)
                    .hasMessage(
                            "A flush is missing before offsets [10, 20) of logs-0: the table of stream 'logs' of tenant 'acme' ends at 0; restarting from the last checkpoint");
        }
    }

    @Test
    void givesTheCheckpointUpIfAFlushIsMissingInIt() throws Exception {
        OperatorSubtaskState state;
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 10, 20));
            state = job.snapshot(1, 0);
        }
        try (var job = harness()) {
            job.initializeState(state);
            job.open();
            assertThatThrownBy(() -> awaitAcknowledgements(job, 1))
                    .isInstanceOf(SuppressRestartsException.class)
                    .hasCauseInstanceOf(FilesUnusableException.class)
                    .rootCause()
                    .hasMessageStartingWith("A flush is missing before offsets [10, 20) of logs-0: the table of");
        }
    }

    @Test
    void failsOnAnErrorInsteadOfLeavingTheTableAlone() throws Exception {
        try (var job = start()) {
            send(job, flush(P0, "acme", 0, 0, 10));
            storage.failWith(new NoClassDefFoundError("missing"));
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            assertThatThrownBy(() -> awaitAcknowledgements(job, 1)).isInstanceOf(NoClassDefFoundError.class);
        }
    }

    @Test
    void findsTheTablesOfWaitingCommitsTogether() throws Exception {
        try (var job = start()) {
            commitTenants(job, 100);
            assertThat(storage.found()).allMatch(tables -> tables <= GroupedWork.SIZE);
            // One or two threads took one commit each before the others waited.
            assertThat(storage.commitsToFound()).isGreaterThanOrEqualTo(98);
        }
    }

    @Test
    void commitsTablesThatCannotBeFoundTogether() throws Exception {
        storage.refuseFinds();
        try (var job = start()) {
            commitTenants(job, 100);
            assertThat(storage.found()).isNotEmpty();
        }
    }

    private void commitTenants(
            KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> job, int tenants)
            throws Exception {
        for (int i = 0; i < tenants; i++) {
            send(job, flush(P0, "tenant%d".formatted(i), i, 0, 10));
        }
        job.snapshot(1, 0);
        CountDownLatch allWait = storage.hold();
        job.notifyOfCompletedCheckpoint(1);
        allWait.countDown();
        awaitAcknowledgements(job, tenants);
        for (int i = 0; i < tenants; i++) {
            assertThat(storage.tableOffset("tenant%d".formatted(i), STREAM, P0.id()))
                    .isEqualTo(10);
        }
    }

    private TableFlush flush(LogPartition partition, String tenantId, long number, long from, long to) {
        String uuid = storage.table(tenantId, STREAM).uuid();
        PartitionId id = partition.id();
        return new TableFlush(
                partition,
                tenantId,
                number,
                new Flush(id.topicId(), id.partition(), from, to, uuid, List.of(), List.of()));
    }

    private static void send(
            KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> job, TableFlush flush)
            throws Exception {
        job.processElement(flush, 0);
    }

    /** Runs what was handed back to the task thread until there are so many acknowledgements. */
    private static void awaitAcknowledgements(
            KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> job, int count)
            throws Exception {
        while (job.extractOutputValues().size() < count) {
            job.getTaskMailbox().take(0).run();
        }
    }

    private static void awaitQuarantined(
            KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> job, long count)
            throws Exception {
        while (((CommitOperator) job.getOneInputOperator()).quarantined() != count) {
            job.getTaskMailbox().take(0).run();
        }
    }

    private KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> start() throws Exception {
        var job = harness();
        job.open();
        return job;
    }

    private KeyedOneInputStreamOperatorTestHarness<TableKey, TableFlush, Acknowledgement> harness() throws Exception {
        var job = new KeyedOneInputStreamOperatorTestHarness<>(
                new CommitOperatorFactory(2, storage.factory(), clock), TableFlush::table, TableKey.TYPE);
        job.setProcessingTime(NOW);
        return job;
    }
}
