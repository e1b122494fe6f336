package io.cordwood.ingest.build;

import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.ingest.source.LogPartition;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what is known of the rows that were read, for queries of the hot tier, beside the task thread. While Redis is
 * away or slow nothing waits: queries then read more of Kafka. Used by the task thread only.
 */
final class StatisticsPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatisticsPublisher.class);
    private static final long TRIM_INTERVAL_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final long PAUSE_MILLIS = Duration.ofSeconds(5).toMillis();

    private final StatisticsStore store;
    private final ExecutorService thread;
    private CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);
    private long nextMillis;
    private long nextTrimMillis;

    private StatisticsPublisher(StatisticsStore store, String name) {
        this.store = store;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-statistics").daemon().factory());
    }

    /** A publisher to this Redis; none if the address is empty. */
    static Optional<StatisticsPublisher> to(String redis, String name) {
        return redis.isEmpty()
                ? Optional.empty()
                : Optional.of(new StatisticsPublisher(new StatisticsStore(URI.create(redis)), name));
    }

    /** Publishes what is new, unless it is still at it. */
    void publish(Collection<PartitionBuffers> partitions, long nowMillis) {
        if (!running.isDone() || nowMillis < nextMillis) {
            return;
        }
        if (!running.join()) {
            nextMillis = nowMillis + PAUSE_MILLIS;
            running = CompletableFuture.completedFuture(true);
            return;
        }
        Map<LogPartition, List<ChunkStatistics>> news = new HashMap<>();
        Map<LogPartition, Long> trims = new HashMap<>();
        boolean trim = nowMillis >= nextTrimMillis;
        for (PartitionBuffers partition : partitions) {
            List<ChunkStatistics> chunks = partition.takeStatistics();
            if (!chunks.isEmpty()) {
                news.put(partition.partition(), chunks);
            }
            if (trim) {
                trims.put(partition.partition(), partition.base());
            }
        }
        if (trim) {
            nextTrimMillis = nowMillis + TRIM_INTERVAL_MILLIS;
        }
        if (!news.isEmpty() || !trims.isEmpty()) {
            running = CompletableFuture.supplyAsync(() -> write(news, trims), thread);
        }
    }

    private boolean write(Map<LogPartition, List<ChunkStatistics>> news, Map<LogPartition, Long> trims) {
        try {
            news.forEach((partition, chunks) -> store.put(partition.stream(), partition.id(), chunks));
            trims.forEach((partition, below) -> store.trim(partition.stream(), partition.id(), below));
            return true;
        } catch (RuntimeException e) {
            // Redis is away, or holds what nobody of us has put there
            LOG.warn(
                    "Cannot publish statistics of the hot tier, next attempt in {} ms: {}", PAUSE_MILLIS, e.toString());
            return false;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        store.close();
    }
}
