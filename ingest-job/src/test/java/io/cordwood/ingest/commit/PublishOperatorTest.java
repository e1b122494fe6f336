package io.cordwood.ingest.commit;

import static io.cordwood.ingest.Records.STREAM;
import static io.cordwood.ingest.Records.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.MemoryLake;
import io.cordwood.ingest.source.LogPartition;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("try") // the harness throws just anything from close()
class PublishOperatorTest {
    private static final LogPartition P0 = new LogPartition(STREAM, TOPIC_ID, 0);

    private final MemoryLake lake = new MemoryLake();

    @Test
    void publishesAfterTheCommits() throws Exception {
        try (var job = harness()) {
            job.open();
            progress(job, 1, 100);
            job.setProcessingTime(1000);
            assertThat(lake.archivedThrough(STREAM)).isEmpty();

            acknowledge(job, 0);
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            job.setProcessingTime(2000);
            awaitPublished(job, 100);
        }
    }

    @Test
    void publishesNothingOfACheckpointThatIsNotComplete() throws Exception {
        try (var job = harness()) {
            job.open();
            progress(job, 0, 100);
            job.snapshot(1, 0);
            progress(job, 0, 200);
            job.setProcessingTime(1000);
            assertThat(job.getTaskMailbox().hasMail()).isFalse();
            assertThat(lake.archivedThrough(STREAM)).isEmpty();

            job.notifyOfCompletedCheckpoint(1);
            job.setProcessingTime(2000);
            awaitPublished(job, 100);

            job.snapshot(2, 0);
            job.snapshot(3, 0);
            job.notifyOfCompletedCheckpoint(3);
            job.setProcessingTime(3000);
            awaitPublished(job, 200);
        }
    }

    @Test
    void goesOnFromItsCheckpoint() throws Exception {
        OperatorSubtaskState state;
        try (var job = harness()) {
            job.open();
            acknowledge(job, 1);
            progress(job, 2, 100);
            state = job.snapshot(1, 0);
            // What comes after the checkpoint comes again after the restart.
            acknowledge(job, 0);
        }
        try (var job = harness()) {
            job.initializeState(state);
            job.open();
            acknowledge(job, 0);
            job.setProcessingTime(1000);
            awaitPublished(job, 100);
        }
    }

    @Test
    void failsOnAnErrorInsteadOfStandingStill() throws Exception {
        try (var job = harness()) {
            job.open();
            lake.failWith(new NoClassDefFoundError("missing"));
            progress(job, 0, 100);
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            job.setProcessingTime(1000);
            assertThatThrownBy(() -> job.getTaskMailbox().take(0).run()).isInstanceOf(NoClassDefFoundError.class);
        }
    }

    private void awaitPublished(AbstractStreamOperatorTestHarness<Void> job, long offset) throws Exception {
        job.getTaskMailbox().take(0).run();
        assertThat(lake.archivedThrough(STREAM)).isEqualTo(Map.of(P0.id(), offset));
    }

    private static void progress(AbstractStreamOperatorTestHarness<Void> job, long flushes, long lowest)
            throws Exception {
        ((PublishOperator) job.getOperator())
                .processElement2(new StreamRecord<>(new Progress(P0, flushes, lowest, Long.MAX_VALUE)));
    }

    private static void acknowledge(AbstractStreamOperatorTestHarness<Void> job, long number) throws Exception {
        ((PublishOperator) job.getOperator()).processElement1(new StreamRecord<>(new Acknowledgement(P0, number)));
    }

    private AbstractStreamOperatorTestHarness<Void> harness() throws Exception {
        return new AbstractStreamOperatorTestHarness<>(
                new PublishOperatorFactory(lake.factory(), NoGroup::new), 1, 1, 0);
    }

    /** No consumer group. */
    private static final class NoGroup implements GroupOffsets {
        @Override
        public void show(Map<LogPartition, Long> offsets) {}

        @Override
        public void close() {}
    }
}
