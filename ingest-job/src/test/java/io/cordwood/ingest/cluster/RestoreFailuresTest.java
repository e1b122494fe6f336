package io.cordwood.ingest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.junit.jupiter.api.Test;

class RestoreFailuresTest {
    private static final String RESTORE =
            "\tat org.apache.flink.streaming.api.operators.StreamTaskStateInitializerImpl.streamOperatorStateContext(StreamTaskStateInitializerImpl.java:1)";

    @Test
    void givesUpACheckpointAfterAFewFailures() {
        assertThat(isHopeless(2, RESTORE, 0)).isFalse();
        assertThat(isHopeless(3, RESTORE, 0)).isTrue();
        assertThat(isHopeless(3, "Caused by: org.rocksdb.RocksDBException: block checksum mismatch", 0))
                .isTrue();
    }

    @Test
    void keepsACheckpointThatIsNotToBlame() {
        assertThat(isHopeless(16, "Kafka at 127.0.0.1:9092: cannot describe topic 'logs'", 0))
                .isFalse();
        assertThat(isHopeless(16, RESTORE, 1000)).isFalse();
    }

    private static boolean isHopeless(int failures, String trace, long lastCheckpointMillis) {
        return RestoreFailures.isHopeless(
                Collections.nCopies(failures, new ErrorInfo(new IllegalStateException(trace), 1000)),
                lastCheckpointMillis);
    }
}
