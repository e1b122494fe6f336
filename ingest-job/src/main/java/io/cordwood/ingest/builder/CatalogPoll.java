package io.cordwood.ingest.builder;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls a value of each stream from the catalog at intervals, outside the task thread. The values may be stale. Used by
 * the task thread only.
 *
 * @param <T> type of the values
 */
final class CatalogPoll<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogPoll.class);

    private final Function<String, T> request;
    private final long intervalMillis;
    private final String name;
    private final String consequence;
    private final ExecutorService thread;
    private Optional<CompletableFuture<Map<String, T>>> round = Optional.empty();
    private long next;

    /**
     * A poll that begins with the first call.
     *
     * @param request reads the value of a stream; blocks
     * @param name name of the value, for the log and the thread
     * @param consequence of a failure, for the log
     * @param task the task's name, for the thread
     */
    CatalogPoll(Function<String, T> request, Duration interval, String name, String consequence, String task) {
        this.request = request;
        this.intervalMillis = interval.toMillis();
        this.name = name;
        this.consequence = consequence;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(task + "-" + name).daemon().factory());
    }

    /**
     * Takes the values if they have arrived, and polls again once the interval has passed.
     *
     * @param now tick of the job's clock
     * @return values by stream, none after a failure; empty if nothing arrived since the last call
     */
    Optional<Map<String, T>> poll(Set<String> streams, long now) {
        if (round.isPresent() && !round.get().isDone()) {
            return Optional.empty();
        }
        Optional<Map<String, T>> arrived = round.map(this::values);
        round = Optional.empty();
        if (now >= next && !streams.isEmpty()) {
            next = now + intervalMillis;
            round = Optional.of(CompletableFuture.supplyAsync(() -> request(streams), thread));
        }
        return arrived;
    }

    private Map<String, T> values(CompletableFuture<Map<String, T>> ended) {
        return ended.exceptionally(failure -> {
                    LOG.warn("Cannot read {} from the catalog; {}", name, consequence, failure);
                    return Map.of();
                })
                .join();
    }

    private Map<String, T> request(Set<String> streams) {
        Map<String, T> values = new HashMap<>();
        streams.forEach(stream -> values.put(stream, request.apply(stream)));
        return values;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
