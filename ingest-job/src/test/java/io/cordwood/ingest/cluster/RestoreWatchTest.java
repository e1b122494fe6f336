package io.cordwood.ingest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.runtime.IngestException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.junit.jupiter.api.Test;

class RestoreWatchTest {
    private static final RestoreFailures NONE = new RestoreFailures(List.of(), true, 0, false);
    private static final RestoreFailures HOPELESS = new RestoreFailures(
            Collections.nCopies(
                    RestoreFailures.MOST,
                    new ErrorInfo(
                            new IllegalStateException(
                                    "org.rocksdb.RocksDBException: block checksum mismatch\n\tat org.apache.flink.streaming.api.operators.StreamTaskStateInitializerImpl.streamOperatorStateContext("),
                            1000)),
            true,
            0,
            false);

    private final TestJob job = new TestJob();
    private final RestoreWatch watch = new RestoreWatch(job);

    @Test
    void leavesASoundJobAlone() throws Exception {
        watch.check();
        assertThat(job.cancelled).isZero();
        assertThat(watch.givenUp()).isFalse();
    }

    @Test
    void endsAJobThatCannotBeRestored() throws Exception {
        job.failures = HOPELESS;
        watch.check();
        assertThat(job.cancelled).isEqualTo(1);
        assertThat(watch.givenUp()).isTrue();
    }

    @Test
    void keepsACheckpointWithoutWhichRowsAreLost() throws Exception {
        job.failures = HOPELESS;
        job.lost = Optional.of("Kafka deleted offsets");
        watch.check();
        watch.check();
        assertThat(job.askedWhatIsLost).as("one alarm").isEqualTo(1);
        assertThat(job.cancelled).isZero();
        assertThat(watch.givenUp()).isFalse();

        job.failures = NONE;
        watch.check();
        job.failures = HOPELESS;
        watch.check();
        assertThat(job.askedWhatIsLost).isEqualTo(2);
    }

    @Test
    void checksAgainAfterAnythingThatDoesNotAnswer() throws Exception {
        job.unanswered = true;
        watch.check();
        job.unanswered = false;
        job.failures = HOPELESS;
        job.kafkaDown = true;
        watch.check();
        assertThat(job.cancelled).isZero();
        assertThat(watch.givenUp()).isFalse();

        job.kafkaDown = false;
        job.cancelUnanswered = true;
        watch.check();
        job.cancelUnanswered = false;
        watch.check();
        assertThat(job.cancelled).isEqualTo(1);
        assertThat(watch.givenUp()).isTrue();
    }

    /** A job as the tests want it. */
    private static final class TestJob implements RestoreWatch.Job {
        private RestoreFailures failures = NONE;
        private Optional<String> lost = Optional.empty();
        private boolean unanswered;
        private boolean kafkaDown;
        private boolean cancelUnanswered;
        private int askedWhatIsLost;
        private int cancelled;

        @Override
        public RestoreFailures failures() throws ExecutionException {
            if (unanswered) {
                throw new ExecutionException(new TimeoutException("no answer within 10 s"));
            }
            return failures;
        }

        @Override
        public Optional<String> lostWithoutCheckpoint() {
            askedWhatIsLost++;
            if (kafkaDown) {
                throw new IngestException("Kafka does not answer");
            }
            return lost;
        }

        @Override
        public void cancel() throws ExecutionException {
            if (cancelUnanswered) {
                throw new ExecutionException(new TimeoutException("no answer within 10 s"));
            }
            cancelled++;
        }
    }
}
