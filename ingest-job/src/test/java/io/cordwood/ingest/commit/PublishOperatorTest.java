package io.cordwood.ingest.commit;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OpenTransaction;
import io.cordwood.ingest.source.TopicIds;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.source.TopicState;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.SkewedClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("try") // the harness throws just anything from close()
class PublishOperatorTest {
    private static final LogPartition P0 = new LogPartition(STREAM, TOPIC_ID, 0);

    /** Operators are made by factories that Flink copies, so what they share with a test is static. */
    private static final OneTopic TOPICS = new OneTopic();

    private static final SeenInspections INSPECTOR = new SeenInspections();

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final SkewedClock clock = new SkewedClock();

    @BeforeEach
    void restoreTopic() {
        TOPICS.id = TOPIC_ID;
        TOPICS.failing = false;
        INSPECTOR.inspected.clear();
    }

    /** What keeps the first record back, as an open transaction does, is to be seen. */
    @Test
    void watchesStreamsThatNothingHasComeOf() throws Exception {
        try (var job = harness()) {
            job.open();
            assertThat(INSPECTOR.inspected.take()).isEqualTo(STREAM);
        }
    }

    @Test
    void publishesAfterTheCommits() throws Exception {
        try (var job = harness()) {
            job.open();
            progress(job, 1, 100);
            job.setProcessingTime(1000);
            assertThat(storage.archivedThrough(STREAM)).isEmpty();

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
            assertThat(storage.archivedThrough(STREAM)).isEmpty();

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
            storage.failWith(new NoClassDefFoundError("missing"));
            progress(job, 0, 100);
            job.snapshot(1, 0);
            job.notifyOfCompletedCheckpoint(1);
            job.setProcessingTime(1000);
            assertThatThrownBy(() -> job.getTaskMailbox().take(0).run()).isInstanceOf(NoClassDefFoundError.class);
        }
    }

    @Test
    void publishesNothingOnceATopicWasMadeAnew() throws Exception {
        try (var job = harness()) {
            job.open();
            progress(job, 0, 100);
            complete(job, 1);
            job.setProcessingTime(1000);
            awaitPublished(job, 100);

            TOPICS.id = "BBBBBBBBBBBBBBBBBBBBBg";
            progress(job, 0, 200);
            complete(job, 2);
            job.setProcessingTime(2000);
            assertThatThrownBy(() -> job.getTaskMailbox().take(0).run())
                    .isInstanceOf(IngestException.class)
                    .hasMessageStartingWith("Topic 'logs' was recreated: its id was " + TOPIC_ID);
            assertThat(storage.archivedThrough(STREAM)).isEqualTo(Map.of(P0.id(), 100L));
        }
    }

    @Test
    void publishesWhatATopicHeldThatIsGone() throws Exception {
        try (var job = harness()) {
            job.open();
            TOPICS.id = "";
            progress(job, 0, 100);
            complete(job, 1);
            job.setProcessingTime(1000);
            awaitPublished(job, 100);
        }
    }

    @Test
    void triesAgainWhenTopicsCannotBeAskedFor() throws Exception {
        try (var job = harness()) {
            failAtFirst(job);
            assertThat(storage.archivedThrough(STREAM)).isEmpty();

            job.setProcessingTime(2000);
            awaitPublished(job, 100);
        }
    }

    @Test
    void pausesLongerAfterEachFailure() throws Exception {
        try (var job = harness()) {
            job.open();
            TOPICS.failing = true;
            progress(job, 0, 100);
            complete(job, 1);
            int asked = TOPICS.asked.get();
            // Pauses of 1, 2 and 4 s.
            for (long millis = 500; millis <= 8000; millis += 500) {
                job.setProcessingTime(millis);
                if (List.of(500L, 1500L, 3500L, 7500L).contains(millis)) {
                    job.getTaskMailbox().take(0).run();
                    asked++;
                }
                assertThat(TOPICS.asked).as("asked within %d ms", millis).hasValue(asked);
            }
        }
    }

    @Test
    void triesAgainAsSoonWhereTheClockIsSetBack() throws Exception {
        try (var job = harness()) {
            failAtFirst(job);
            clock.set(Duration.ofHours(-3));
            job.setProcessingTime(3000);
            awaitPublished(job, 100);
        }
    }

    @Test
    void doesNotWaitForTheConsumerGroup() throws Exception {
        try (var job = harness(HangingGroup::new)) {
            job.open();
            for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
                progress(job, 0, checkpoint * 100L);
                complete(job, checkpoint);
                job.setProcessingTime(checkpoint * 1000L);
                awaitPublished(job, checkpoint * 100L);
            }
        }
    }

    /** Topics cannot be asked for when offset 100 is to be published, but can be afterwards. */
    private static void failAtFirst(AbstractStreamOperatorTestHarness<Void> job) throws Exception {
        job.open();
        TOPICS.failing = true;
        progress(job, 0, 100);
        complete(job, 1);
        job.setProcessingTime(1000);
        job.getTaskMailbox().take(0).run();
        TOPICS.failing = false;
    }

    private static void complete(AbstractStreamOperatorTestHarness<Void> job, long checkpoint) throws Exception {
        job.snapshot(checkpoint, 0);
        job.notifyOfCompletedCheckpoint(checkpoint);
    }

    private void awaitPublished(AbstractStreamOperatorTestHarness<Void> job, long offset) throws Exception {
        job.getTaskMailbox().take(0).run();
        assertThat(storage.archivedThrough(STREAM)).isEqualTo(Map.of(P0.id(), offset));
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
        return harness(NoGroup::new);
    }

    private AbstractStreamOperatorTestHarness<Void> harness(GroupOffsets.Factory group) throws Exception {
        return new AbstractStreamOperatorTestHarness<>(
                new PublishOperatorFactory(
                        List.of(STREAM), storage.factory(), group, () -> TOPICS, () -> INSPECTOR, clock),
                1,
                1,
                0);
    }

    /** Says what it is asked for. */
    private static final class SeenInspections implements TopicInspector {
        private final BlockingQueue<String> inspected = new LinkedBlockingQueue<>();

        @Override
        public Optional<TopicState> inspect(String stream) {
            inspected.add(stream);
            return Optional.empty();
        }

        @Override
        public List<OpenTransaction> openTransactions(String stream, int partition) {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /** A topic whose id the tests change. */
    private static final class OneTopic implements TopicIds {
        private volatile String id = TOPIC_ID;
        private volatile boolean failing;
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Map<String, String> ids(Collection<String> topics) {
            asked.incrementAndGet();
            if (failing) {
                throw new IngestException("Kafka does not answer");
            }
            return id.isEmpty() ? Map.of() : Map.of(STREAM, id);
        }

        @Override
        public void close() {}
    }

    /** A consumer group whose coordinator does not answer. */
    private static final class HangingGroup implements GroupOffsets {
        @Override
        public void show(Map<LogPartition, Long> offsets) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {}
    }

    /** No consumer group. */
    private static final class NoGroup implements GroupOffsets {
        @Override
        public void show(Map<LogPartition, Long> offsets) {}

        @Override
        public void close() {}
    }
}
