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
 * Finds out how far partitions that no record comes from hold none, beside the task thread. Used by the task thread
 * only.
 *
 * <p>The source's own position moves with records, so transaction markers and records of aborted transactions at the
 * end of a partition would hold archived-through W back until the next record, and once Kafka has deleted them, look as
 * if records were lost. Whether there is a record that the source has not come to, or none, is looked up from the
 * source's position on, for partitions whose position is the same at two checkpoints. What is found true stays true:
 * Kafka never puts a record below the last stable offset.
 *
 * <p>If Kafka does not answer, the next checkpoint's look finds the same, later.
 */
final class IdlePartitions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdlePartitions.class);

    private final LogEndReader tail;
    private final ExecutorService thread;
    private final Queue<Found> found = new ConcurrentLinkedQueue<>();
    private volatile CompletableFuture<Void> arrival = new CompletableFuture<>();
    private volatile boolean closed;
    private Map<LogPartition, Long> before = Map.of();
    private CompletableFuture<Void> look = CompletableFuture.completedFuture(null);

    /** Positions that need no further look, as a record stands there; used while looking only. */
    private final Map<LogPartition, Long> occupied = new HashMap<>();

    /** Up to where a partition holds no record. */
    record Found(LogPartition partition, Position upTo) {}

    IdlePartitions(LogEndReader tail, String name) {
        this(
                tail,
                Executors.newSingleThreadExecutor(Thread.ofPlatform()
                        .name(name + "-idle-partitions")
                        .daemon()
                        .factory()));
    }

    /**
     * Looks on a thread that is given.
     *
     * @param thread a single thread; ended by {@link #close}
     */
    IdlePartitions(LogEndReader tail, ExecutorService thread) {
        this.tail = tail;
        this.thread = thread;
    }

    /** Takes note of where the source stands at a checkpoint, and looks at the partitions that stood there before. */
    void stoodAt(Map<LogPartition, Long> positions) {
        Map<LogPartition, Long> idle = new HashMap<>(positions);
        idle.entrySet().retainAll(before.entrySet());
        before = Map.copyOf(positions);
        if (!idle.isEmpty() && look.isDone()) {
            look = CompletableFuture.runAsync(() -> look(idle), thread).exceptionally(this::failed);
        }
    }

    /** Runs beside the task thread. */
    private void look(Map<LogPartition, Long> idle) {
        idle.entrySet().removeAll(occupied.entrySet());
        if (idle.isEmpty()) {
            return;
        }
        tail.look(idle).forEach((partition, position) -> {
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
                    "Cannot look for records at the ends of idle partitions; archived-through may stand still until the next checkpoint",
                    failure);
        }
        return null;
    }

    /** What was found, if anything is left. */
    Optional<Found> poll() {
        return Optional.ofNullable(found.poll());
    }

    /** Completes when something is there for {@link #poll}. */
    CompletableFuture<Void> available() {
        if (arrival.isDone()) {
            arrival = new CompletableFuture<>();
        }
        // Looked at last, so that what comes meanwhile is either seen here or completes the new future.
        return found.isEmpty() ? arrival : CompletableFuture.completedFuture(null);
    }

    /** Ends soon, without waiting for a look that is under way. */
    @Override
    public void close() {
        closed = true;
        tail.wakeUp();
        thread.execute(tail::close);
        thread.shutdown();
    }
}
