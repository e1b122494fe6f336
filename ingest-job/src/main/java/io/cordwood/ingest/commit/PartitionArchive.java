package io.cordwood.ingest.commit;

import io.cordwood.ingest.source.LogPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The archiving state of one partition: combines the builder's progress with the committer's acknowledgements. Not
 * thread-safe.
 *
 * <p>Archived-through may advance to a progress's lowest unflushed offset once all flushes with numbers below the
 * progress's count are acknowledged and the progress's checkpoint is complete: only then are the dead letters below it
 * in Kafka.
 */
final class PartitionArchive {
    /**
     * While a table is quarantined, progress accumulates; dropping some only makes archived-through advance in larger
     * steps.
     */
    private static final int MAX_WAITING = 64;

    private static final long NEVER = Long.MAX_VALUE;
    /** Checkpoint of progress that no checkpoint contains yet. */
    private static final long FRESH = Long.MAX_VALUE;
    /** Checkpoint of progress from a restored checkpoint, which is therefore complete. */
    private static final long RESTORED = -1;

    private final LogPartition partition;
    private final NavigableSet<Long> acknowledgedEarly = new TreeSet<>();
    private final Deque<Sealed> waiting = new ArrayDeque<>();
    private long acknowledged;
    private long archivedThrough;
    private long oldestMicros = NEVER;
    private long waitingSinceMicros;
    private long completedCheckpoint = RESTORED;

    PartitionArchive(LogPartition partition) {
        this.partition = partition;
    }

    PartitionArchive(
            LogPartition partition,
            long acknowledged,
            Collection<Long> acknowledgedEarly,
            List<Progress> waiting,
            long archivedThrough,
            long oldestMicros,
            long waitingSinceMicros) {
        this(partition);
        this.acknowledged = acknowledged;
        this.acknowledgedEarly.addAll(acknowledgedEarly);
        waiting.forEach(progress -> this.waiting.add(new Sealed(progress, RESTORED)));
        this.archivedThrough = archivedThrough;
        this.oldestMicros = oldestMicros;
        this.waitingSinceMicros = waitingSinceMicros;
    }

    private record Sealed(Progress progress, long checkpoint) {}

    /** A copy for a checkpoint that is written while this object changes. */
    PartitionArchive copy() {
        return new PartitionArchive(
                partition,
                acknowledged,
                acknowledgedEarly,
                waiting(),
                archivedThrough,
                oldestMicros,
                waitingSinceMicros);
    }

    void progress(Progress progress, long nowMicros) {
        if (waiting.isEmpty()) {
            waitingSinceMicros = nowMicros;
        }
        if (waiting.size() >= MAX_WAITING) {
            waiting.removeLast();
        }
        waiting.addLast(new Sealed(progress, FRESH));
    }

    /** Assigns all fresh progress to this checkpoint. */
    void seal(long checkpoint) {
        List<Sealed> sealed = waiting.stream()
                .map(entry -> entry.checkpoint() == FRESH ? new Sealed(entry.progress(), checkpoint) : entry)
                .toList();
        waiting.clear();
        waiting.addAll(sealed);
    }

    /** Notes that the checkpoint, and so all earlier ones, is complete. */
    void complete(long checkpoint) {
        completedCheckpoint = Math.max(completedCheckpoint, checkpoint);
        advance();
    }

    void acknowledge(long number) {
        if (number >= acknowledged) {
            acknowledgedEarly.add(number);
            while (acknowledgedEarly.remove(acknowledged)) {
                acknowledged++;
            }
            advance();
        }
    }

    private void advance() {
        while (!waiting.isEmpty() && isReached(waiting.getFirst())) {
            Progress reached = waiting.removeFirst().progress();
            archivedThrough = Math.max(archivedThrough, reached.lowestUnflushed());
            oldestMicros = reached.oldestUnflushedMicros();
        }
    }

    private boolean isReached(Sealed sealed) {
        return sealed.checkpoint() <= completedCheckpoint && sealed.progress().flushes() <= acknowledged;
    }

    LogPartition partition() {
        return partition;
    }

    /** All flushes with numbers below this are acknowledged. */
    long acknowledged() {
        return acknowledged;
    }

    List<Long> acknowledgedEarly() {
        return new ArrayList<>(acknowledgedEarly);
    }

    List<Progress> waiting() {
        return waiting.stream().map(Sealed::progress).toList();
    }

    /** Archived-through as far as this job knows. */
    long archivedThrough() {
        return archivedThrough;
    }

    /**
     * Append time of the oldest row that waited when archived-through last advanced, microseconds;
     * {@code Long.MAX_VALUE} if there was none.
     */
    long oldestMicros() {
        return oldestMicros;
    }

    /** When the first waiting progress arrived, microseconds since the epoch; meaningless if none waits. */
    long waitingSinceMicros() {
        return waitingSinceMicros;
    }

    /** The age of rows that wait to be in their tables, microseconds; 0 if none are known to wait. */
    long unarchivedAgeMicros(long nowMicros) {
        if (oldestMicros != NEVER) {
            return Math.max(0, nowMicros - oldestMicros);
        }
        return waiting.isEmpty() ? 0 : Math.max(0, nowMicros - waitingSinceMicros);
    }
}
