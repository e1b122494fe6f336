package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.TableOffsets;
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
 * Polls the requested flushes outside the task thread. A client requests a flush to delete rows of a tenant, which must
 * be in LogBlocks for that, or after it has deleted the tenant with its table. The known requests may be stale: a
 * request is seen a little later, or once more, which costs a flush and no row. Used by the task thread only.
 */
final class FlushRequestWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlushRequestWatch.class);
    private static final long INTERVAL_MILLIS = Duration.ofSeconds(2).toMillis();

    private final TableStorage storage;
    private final ExecutorService thread;
    private CompletableFuture<Map<String, Map<String, TableOffsets>>> asked =
            CompletableFuture.completedFuture(Map.of());
    /** By stream and tenant. */
    private Map<String, Map<String, TableOffsets>> known = Map.of();

    private long next;

    FlushRequestWatch(TableStorage storage, String name) {
        this.storage = storage;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-flush-requests").daemon().factory());
    }

    /**
     * Takes the response if it has arrived, and polls again from time to time.
     *
     * @param now tick of the job's clock
     * @return the new requests, by stream and tenant
     */
    Map<String, Map<String, TableOffsets>> poll(Set<String> streams, long now) {
        if (!asked.isDone()) {
            return Map.of();
        }
        Map<String, Map<String, TableOffsets>> before = known;
        known = asked.exceptionally(failure -> {
                    LOG.warn("Cannot read the requested flushes; deletions wait meanwhile", failure);
                    return Map.of();
                })
                .join();
        asked = CompletableFuture.completedFuture(known);
        if (now >= next && !streams.isEmpty()) {
            next = now + INTERVAL_MILLIS;
            asked = CompletableFuture.supplyAsync(() -> ask(streams), thread);
        }
        return news(before, known);
    }

    private static Map<String, Map<String, TableOffsets>> news(
            Map<String, Map<String, TableOffsets>> before, Map<String, Map<String, TableOffsets>> now) {
        Map<String, Map<String, TableOffsets>> news = new HashMap<>();
        now.forEach((stream, requests) -> {
            Map<String, TableOffsets> ofStream = new HashMap<>(requests);
            ofStream.entrySet().removeAll(before.getOrDefault(stream, Map.of()).entrySet());
            if (!ofStream.isEmpty()) {
                news.put(stream, ofStream);
            }
        });
        return news;
    }

    private Map<String, Map<String, TableOffsets>> ask(Set<String> streams) {
        Map<String, Map<String, TableOffsets>> all = new HashMap<>();
        streams.forEach(stream -> all.put(stream, storage.flushRequests(stream)));
        return all;
    }

    /** By tenant, the offsets up to which a flush is requested. */
    Map<String, TableOffsets> requested(String stream) {
        return known.getOrDefault(stream, Map.of());
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
