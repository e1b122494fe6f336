package io.cordwood.ingest.build;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.hot.statistics.TenantColumns;
import io.cordwood.ingest.source.LogPartition;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    private static final long ASK_INTERVAL_MILLIS = Duration.ofSeconds(5).toMillis();
    /** Columns of a tenant that nobody has asked for so long are not looked at. */
    private static final Duration ASKED_WITHIN = Duration.ofDays(1);

    private final StatisticsStore store;
    private final ExecutorService thread;
    private CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);
    private long nextMillis;
    private long nextTrimMillis;
    private long nextAskMillis;
    /** By stream, the tenants of which queries have conditions on columns. */
    private volatile Map<String, Set<String>> asked = Map.of();

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
        Map<LogPartition, List<TenantColumns>> newColumns = new HashMap<>();
        Map<LogPartition, Long> trims = new HashMap<>();
        boolean trim = nowMillis >= nextTrimMillis;
        boolean ask = nowMillis >= nextAskMillis;
        Set<String> streams = new HashSet<>();
        for (PartitionBuffers partition : partitions) {
            List<ChunkStatistics> chunks = partition.takeStatistics();
            if (!chunks.isEmpty()) {
                news.put(partition.partition(), chunks);
            }
            List<TenantColumns> columns =
                    partition.takeColumns(asked.getOrDefault(partition.partition().stream(), Set.of()));
            if (!columns.isEmpty()) {
                newColumns.put(partition.partition(), columns);
            }
            if (ask) {
                streams.add(partition.partition().stream());
            }
            if (trim) {
                trims.put(partition.partition(), partition.base());
            }
        }
        if (trim) {
            nextTrimMillis = nowMillis + TRIM_INTERVAL_MILLIS;
        }
        if (ask) {
            nextAskMillis = nowMillis + ASK_INTERVAL_MILLIS;
        }
        if (!news.isEmpty() || !newColumns.isEmpty() || !trims.isEmpty() || !streams.isEmpty()) {
            running = CompletableFuture.supplyAsync(() -> write(news, newColumns, trims, streams), thread);
        }
    }

    private boolean write(
            Map<LogPartition, List<ChunkStatistics>> news,
            Map<LogPartition, List<TenantColumns>> newColumns,
            Map<LogPartition, Long> trims,
            Set<String> askedStreams) {
        try {
            if (!askedStreams.isEmpty()) {
                Instant since = Instant.now().minus(ASKED_WITHIN);
                asked = askedStreams.stream().collect(toMap(identity(), stream -> store.asked(stream, since)));
            }
            newColumns.forEach((partition, columns) -> store.putColumns(partition.stream(), partition.id(), columns));
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
