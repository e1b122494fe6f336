package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.storage.TableStorage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the archived-through offsets outside the task thread. Its values may be stale, which makes them too low but
 * never wrong. Used by the task thread only.
 */
final class ArchivedThroughWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArchivedThroughWatch.class);
    private static final long INTERVAL_MILLIS = Duration.ofMinutes(1).toMillis();

    private final TableStorage storage;
    private final ExecutorService thread;
    private CompletableFuture<Map<PartitionId, Long>> asked = CompletableFuture.completedFuture(Map.of());
    private long next;

    ArchivedThroughWatch(TableStorage storage, String name) {
        this.storage = storage;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-archived-through").daemon().factory());
    }

    /** The current archived-through offset of the catalog; waits for the response. */
    static long now(TableStorage storage, String stream, PartitionId partition) {
        return storage.archivedThrough(stream).getOrDefault(partition, 0L);
    }

    /**
     * The changes since the last call, if any. Polls again from time to time.
     *
     * @param now tick of the job's clock
     */
    Map<PartitionId, Long> poll(Set<String> streams, long now) {
        if (!asked.isDone()) {
            return Map.of();
        }
        Map<PartitionId, Long> news = answer();
        asked = CompletableFuture.completedFuture(Map.of());
        if (now >= next && !streams.isEmpty()) {
            next = now + INTERVAL_MILLIS;
            asked = CompletableFuture.supplyAsync(() -> ask(streams), thread);
        }
        return news;
    }

    private Map<PartitionId, Long> answer() {
        return asked.exceptionally(failure -> {
                    LOG.warn("Cannot read archived-through offsets; idle tenants stay in memory meanwhile", failure);
                    return Map.of();
                })
                .join();
    }

    private Map<PartitionId, Long> ask(Set<String> streams) {
        Map<PartitionId, Long> all = new HashMap<>();
        streams.forEach(stream -> all.putAll(storage.archivedThrough(stream)));
        return all;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
