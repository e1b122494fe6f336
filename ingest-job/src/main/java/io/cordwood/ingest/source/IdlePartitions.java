package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the offset up to which idle partitions hold no record, outside the task thread. Used by the task thread only.
 *
 * <p>The source's own position moves only with records. So transaction markers and records of aborted transactions at
 * the end of a partition would hold archived-through back until the next record, and would look like lost records once
 * Kafka has deleted them. For partitions whose position is the same at two checkpoints, this class reads from the
 * source's position on, to find out whether there is a record. A result stays true: Kafka never appends a record below
 * the last stable offset.
 *
 * <p>If Kafka does not answer, the next checkpoint's read finds the same, later.
 */
final class IdlePartitions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdlePartitions.class);

    private final LogEndReader logEnds;
    private final ExecutorService thread;
    private final Queue<Found> found = new ConcurrentLinkedQueue<>();
    private volatile CompletableFuture<Void> arrival = new CompletableFuture<>();
    private volatile boolean closed;
    private Map<LogPartition, Long> before = Map.of();
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    /** Positions that need no further read, because a record is there; used while reading only. */
    private final Map<LogPartition, Long> occupied = new HashMap<>();

    /** The offset up to which a partition holds no record. */
    record Found(LogPartition partition, Position upTo) {}

    IdlePartitions(LogEndReader logEnds, String name) {
        this(
                logEnds,
                Executors.newSingleThreadExecutor(Thread.ofPlatform()
                        .name(name + "-idle-partitions")
                        .daemon()
                        .factory()));
    }

    /**
     * Reads on the given thread.
     *
     * @param thread a single thread; ended by {@link #close}
     */
    IdlePartitions(LogEndReader logEnds, ExecutorService thread) {
        this.logEnds = logEnds;
        this.thread = thread;
    }

    /**
     * Sets the source's positions at a checkpoint, and reads the partitions that have not moved since the previous one.
     */
    void checkpointed(Map<LogPartition, Long> positions) {
        Map<LogPartition, Long> idle = new HashMap<>(positions);
        idle.entrySet().retainAll(before.entrySet());
        before = Map.copyOf(positions);
        if (!idle.isEmpty() && running.isDone()) {
            running = CompletableFuture.runAsync(() -> findEnds(idle), thread).exceptionally(this::failed);
        }
    }

    /** Runs outside the task thread. */
    private void findEnds(Map<LogPartition, Long> idle) {
        idle.entrySet().removeAll(occupied.entrySet());
        if (idle.isEmpty()) {
            return;
        }
        logEnds.read(idle).forEach((partition, position) -> {
            if (position.offset() > idle.get(partition)) {
                LOG.debug("{} holds no record in offsets [{}, {})", partition, idle.get(partition), position.offset());
                found.add(new Found(partition, position));
            } else {
                occupied.put(partition, position.offset());
            }
        });
        if (!found.isEmpty()) {
            arrival.complete(null);
        }
    }

    private Void failed(Throwable failure) {
        if (!closed) {
            LOG.warn(
                    "Cannot read the ends of idle partitions; archived-through may not advance until the next checkpoint",
                    failure);
        }
        return null;
    }

    /** The next result, if there is one. */
    Optional<Found> poll() {
        return Optional.ofNullable(found.poll());
    }

    /** Completes when a result is available to {@link #poll}. */
    CompletableFuture<Void> available() {
        if (arrival.isDone()) {
            arrival = new CompletableFuture<>();
        }
        // Checked last, so that a result that arrives meanwhile is either seen here or completes the new future.
        return found.isEmpty() ? arrival : CompletableFuture.completedFuture(null);
    }

    /** Ends soon, without waiting for a read in progress. */
    @Override
    public void close() {
        closed = true;
        logEnds.wakeUp();
        thread.execute(logEnds::close);
        thread.shutdown();
    }
}
