package io.cordwood.ingest.cluster;

import io.cordwood.record.buffer.CorruptChunkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.ArchivedExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.scheduler.ExecutionGraphInfo;

/**
 * Decides from a job's failures whether its checkpoint is damaged. Immutable.
 *
 * <p>Flink restores a damaged checkpoint again and again. Only evidence of damage counts: RocksDB or a chunk's checksum
 * reports it, chunks are missing, or state that is being restored ends early or is missing. A full disk, a lack of file
 * handles, and a store or a broker that does not respond are no evidence, however often they fail the job: they are
 * temporary, and the checkpoint is still sound.
 *
 * @param failures failures of the job, in any order
 * @param hasCheckpoint whether the job was started from a checkpoint or has completed one
 * @param lastCheckpointMillis when the last checkpoint was completed, milliseconds since the epoch; 0 if none was
 * @param running whether all tasks are running
 */
record RestoreFailures(List<ErrorInfo> failures, boolean hasCheckpoint, long lastCheckpointMillis, boolean running) {
    /** Number of failures after which a checkpoint is given up. */
    static final int MOST = 3;

    /** Minimum time between them, unless they follow each other without another failure or a run in between. */
    static final Duration SPAN = Duration.ofMinutes(3);

    /** Failures that report by themselves that the data read differ from the data written. */
    private static final Pattern DAMAGE = Pattern.compile("org\\.rocksdb\\.RocksDBException: [^\n]*"
            + "(Corruption|checksum mismatch|Bad table magic number|file size mismatch|may be corrupted|CURRENT file)"
            // A chunk of a newer version is sound; it needs the program that wrote it.
            + "|" + Pattern.quote(CorruptChunkException.class.getName()) + "(?!: The chunk has version)"
            + "|io\\.cordwood\\.ingest\\.builder\\.MissingChunksException");

    /** Failures that show damage only while state is being restored; elsewhere a connection may have ended. */
    private static final Pattern DAMAGE_IN_RESTORE = Pattern.compile(
            "java\\.io\\.(EOFException|StreamCorruptedException|UTFDataFormatException)"
                    // Only files of the checkpoint: temporary ones are recreated.
                    + "|(FileNotFoundException|NoSuchFileException): [^\n]*/(shared|taskowned|chk-\\d+|savepoint-[^/\n]+)/");

    /** Temporary failures that may look like damage. */
    private static final List<String> PASSING = List.of(
            "No space left",
            "Disk quota exceeded",
            "Too many open files",
            "File too large",
            "Read-only file system",
            "Permission denied",
            "Access denied",
            "AccessDeniedException",
            "java.net.",
            "javax.net.ssl.",
            "SdkClientException");

    private static final List<String> RESTORE = List.of(
            "org.apache.flink.streaming.api.operators.StreamTaskStateInitializerImpl.streamOperatorStateContext(",
            "org.apache.flink.streaming.api.operators.StreamOperatorStateHandler.initializeOperatorState(",
            "io.cordwood.ingest.source.IdentifiedSplitSerializer.deserialize(");

    RestoreFailures {
        failures = List.copyOf(failures);
    }

    /**
     * The current failures of a job.
     *
     * @param restored whether it was submitted with a checkpoint
     */
    static RestoreFailures of(ExecutionGraphInfo job, boolean restored) {
        ArchivedExecutionGraph graph = job.getArchivedExecutionGraph();
        List<ErrorInfo> failures = new ArrayList<>();
        job.getExceptionHistory().forEach(failures::add);
        long lastCheckpointMillis = lastCheckpointMillis(graph.getCheckpointStatsSnapshot());
        boolean running = StreamSupport.stream(graph.getAllExecutionVertices().spliterator(), false)
                .allMatch(task -> task.getExecutionState() == ExecutionState.RUNNING);
        return new RestoreFailures(failures, restored || lastCheckpointMillis > 0, lastCheckpointMillis, running);
    }

    private static long lastCheckpointMillis(CheckpointStatsSnapshot checkpoints) {
        AbstractCheckpointStats completed =
                checkpoints == null ? null : checkpoints.getHistory().getLatestCompletedCheckpoint();
        return completed instanceof CompletedCheckpointStats last ? last.getLatestAckTimestamp() : 0;
    }

    /**
     * Whether the job fails repeatedly because of its checkpoint: the last failures are all damage found while state
     * was restored, so it did not run in between; or damage was found repeatedly for some minutes without a completed
     * checkpoint in between.
     */
    boolean isHopeless() {
        if (!hasCheckpoint || running) {
            return false;
        }
        List<ErrorInfo> since = failures.stream()
                .filter(failure -> failure.getTimestamp() > lastCheckpointMillis)
                .sorted(Comparator.comparingLong(ErrorInfo::getTimestamp))
                .toList();
        List<ErrorInfo> last = since.subList(Math.max(0, since.size() - MOST), since.size());
        if (last.size() == MOST
                && last.stream()
                        .map(ErrorInfo::getExceptionAsString)
                        .allMatch(trace -> isRestore(trace) && isDamage(trace))) {
            return true;
        }
        List<ErrorInfo> damage = since.stream()
                .filter(failure -> isDamage(failure.getExceptionAsString()))
                .toList();
        return damage.size() >= MOST
                && damage.getLast().getTimestamp() - damage.getFirst().getTimestamp() >= SPAN.toMillis();
    }

    private static boolean isDamage(String trace) {
        return PASSING.stream().noneMatch(trace::contains)
                && (DAMAGE.matcher(trace).find()
                        || (isRestore(trace) && DAMAGE_IN_RESTORE.matcher(trace).find()));
    }

    private static boolean isRestore(String trace) {
        return RESTORE.stream().anyMatch(trace::contains);
    }
}
