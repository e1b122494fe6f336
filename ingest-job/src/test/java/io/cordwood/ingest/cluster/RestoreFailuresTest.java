package io.cordwood.ingest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestoreFailuresTest {
    private static final String IN_RESTORE =
            "\n\tat org.apache.flink.streaming.api.operators.StreamTaskStateInitializerImpl.streamOperatorStateContext(StreamTaskStateInitializerImpl.java:1)";
    private static final String DAMAGED = "Caused by: org.rocksdb.RocksDBException: block checksum mismatch";
    private static final long MINUTE = 60_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                DAMAGED,
                "org.rocksdb.RocksDBException: Corruption: IO error: No such file or directory: /flink/db/000009.sst",
                "org.rocksdb.RocksDBException: Bad table magic number: expected 1, found 2 in /flink/db/000009.sst",
                "org.rocksdb.RocksDBException: Sst file size mismatch: /flink/db/000009.sst. Expected 484403, actual 20",
                "org.rocksdb.RocksDBException: CURRENT file does not end with newline",
                "io.cordwood.record.buffer.CorruptChunkException: The chunk is damaged: its checksum is wrong",
                "io.cordwood.ingest.builder.MissingChunksException: The state lacks rows of tenant 'acme' from logs-0, offset 7 on",
                "java.io.EOFException",
                "java.io.FileNotFoundException: /checkpoints/4f/shared/a8b6 (No such file or directory)",
                "java.nio.file.NoSuchFileException: /checkpoints/4f/chk-17/a8b6"
            })
    void givesUpADamagedCheckpoint(String cause) {
        String trace = cause + IN_RESTORE;
        assertThat(restored(trace, trace).isHopeless()).isFalse();
        assertThat(restored(trace, trace, trace).isHopeless()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Kafka at 127.0.0.1:9092: cannot describe topic 'logs'",
                "java.lang.IllegalStateException: no reason given",
                "org.rocksdb.RocksDBException: While appending to file: /flink/db/000009.sst: No space left on device",
                "org.rocksdb.RocksDBException: While open a file for random read: /flink/db/000009.sst: Too many open files",
                "org.rocksdb.RocksDBException: Corruption: IO error: While open: /flink/db/000009.sst: Too many open files",
                "java.io.IOException: File too large",
                "java.io.FileNotFoundException: /flink/db/000009.sst (Read-only file system)",
                "java.io.FileNotFoundException: /checkpoints/4f/shared/a8b6 (Permission denied)",
                "java.nio.file.NoSuchFileException: /flink/job_1/db/000009.sst",
                "java.io.IOException: Could not download\nCaused by: java.net.SocketException: Connection reset\nCaused by: java.io.EOFException",
                "io.cordwood.record.buffer.CorruptChunkException: The chunk has version 2, but this program reads version 1 only",
                "java.io.IOException: TenantStateSerializer has version 2, but this program reads version 1; use the program that wrote it"
            })
    void keepsACheckpointThatIsNotToBlame(String cause) {
        String trace = cause + IN_RESTORE;
        assertThat(restored(trace, trace, trace, trace).isHopeless()).isFalse();
        assertThat(far(trace, trace, trace, trace).isHopeless()).isFalse();
    }

    @Test
    void recordsOnTheirWayAreNoState() {
        String trace =
                "java.io.EOFException\n\tat io.cordwood.ingest.serial.VersionedSerializer.deserialize(VersionedSerializer.java:1)";
        assertThat(far(trace, trace, trace).isHopeless()).isFalse();
    }

    @Test
    void failuresMustFollowEachOtherOrGoOnForMinutes() {
        String damaged = DAMAGED + IN_RESTORE;
        String other = "Kafka does not answer";
        assertThat(restored(damaged, damaged, other, damaged).isHopeless()).isFalse();
        assertThat(restored(other, damaged, damaged, damaged).isHopeless()).isTrue();
        assertThat(far(damaged, damaged, other, damaged).isHopeless()).isTrue();
        // Found while the job ran.
        assertThat(restored(DAMAGED, DAMAGED, DAMAGED).isHopeless()).isFalse();
        assertThat(far(DAMAGED, DAMAGED, DAMAGED).isHopeless()).isTrue();
    }

    @Test
    void aJobThatRunsOrHasNoCheckpointGoesOn() {
        List<ErrorInfo> failures = failures(MINUTE, DAMAGED + IN_RESTORE, DAMAGED + IN_RESTORE, DAMAGED + IN_RESTORE);
        assertThat(new RestoreFailures(failures, true, 0, false).isHopeless()).isTrue();
        assertThat(new RestoreFailures(failures, true, 0, true).isHopeless()).isFalse();
        assertThat(new RestoreFailures(failures, false, 0, false).isHopeless()).isFalse();
        assertThat(new RestoreFailures(failures, true, 2 * MINUTE, false).isHopeless())
                .isFalse();
    }

    private static RestoreFailures restored(String... traces) {
        return new RestoreFailures(failures(1, traces), true, 0, false);
    }

    private static RestoreFailures far(String... traces) {
        return new RestoreFailures(failures(2 * MINUTE, traces), true, 0, false);
    }

    private static List<ErrorInfo> failures(long apartMillis, String... traces) {
        List<ErrorInfo> failures = new ArrayList<>();
        for (String trace : traces) {
            failures.add(new ErrorInfo(new IllegalStateException(trace), (failures.size() + 1) * apartMillis));
        }
        return failures;
    }
}
