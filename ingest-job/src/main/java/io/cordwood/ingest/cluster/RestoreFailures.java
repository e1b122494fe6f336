package io.cordwood.ingest.cluster;

import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.scheduler.ExecutionGraphInfo;

/**
 * Tells from a job's failures whether its checkpoint is damaged. Stateless.
 *
 * <p>Flink restores a damaged checkpoint again and again. A job that failed a few times while it took its state in, or
 * because RocksDB found it corrupt, and completed no checkpoint since, will not succeed the next time either.
 */
final class RestoreFailures {
    static final int MOST = 3;

    /** What stands in the traces of such failures, and of no others. */
    private static final List<String> SIGNS = List.of(
            "org.apache.flink.streaming.api.operators.StreamTaskStateInitializerImpl.streamOperatorStateContext(",
            "io.cordwood.ingest.build.BuilderState.restore(",
            "io.cordwood.ingest.serial.VersionedSerializer.deserialize(",
            "io.cordwood.ingest.source.IdentifiedSplitSerializer.deserialize(",
            "org.rocksdb.RocksDBException");

    private RestoreFailures() {}

    /** Whether the job fails over and over because of its checkpoint. */
    static boolean isHopeless(ExecutionGraphInfo job) {
        return isHopeless(
                job.getExceptionHistory(),
                lastCheckpointMillis(job.getArchivedExecutionGraph().getCheckpointStatsSnapshot()));
    }

    /**
     * Whether the failures say so.
     *
     * @param lastCheckpointMillis when the last checkpoint was completed, milliseconds since the epoch
     */
    static boolean isHopeless(Iterable<? extends ErrorInfo> failures, long lastCheckpointMillis) {
        return StreamSupport.stream(failures.spliterator(), false)
                        .filter(failure -> failure.getTimestamp() > lastCheckpointMillis)
                        .filter(failure -> SIGNS.stream().anyMatch(failure.getExceptionAsString()::contains))
                        .count()
                >= MOST;
    }

    private static long lastCheckpointMillis(CheckpointStatsSnapshot checkpoints) {
        AbstractCheckpointStats completed =
                checkpoints == null ? null : checkpoints.getHistory().getLatestCompletedCheckpoint();
        return completed instanceof CompletedCheckpointStats last ? last.getLatestAckTimestamp() : 0;
    }
}
