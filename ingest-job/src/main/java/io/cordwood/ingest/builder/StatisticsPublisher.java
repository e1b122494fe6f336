package io.cordwood.ingest.builder;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.PartitionEpoch;
import io.cordwood.hot.statistics.StatisticsSink;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.hot.statistics.TenantColumns;
import io.cordwood.ingest.source.LogPartition;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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
 * Publishes statistics of the ingested rows for hot queries, outside the task thread. While Redis is unavailable or
 * slow nothing waits: queries then read more of Kafka. Chunks and columns are published separately: columns are large,
 * and their failures delay no chunk. Used by the task thread only.
 */
final class StatisticsPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatisticsPublisher.class);
    private static final long TRIM_INTERVAL_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final long PAUSE_MILLIS = Duration.ofSeconds(5).toMillis();

    private static final long ASK_INTERVAL_MILLIS = Duration.ofSeconds(5).toMillis();
    /** Tenants whose columns no query requested for this long are not recorded. */
    private static final Duration ASKED_WITHIN = Duration.ofDays(1);

    /** The statistics to publish of a partition. */
    private record News<T>(String stream, PartitionEpoch partition, List<T> taken) {}

    /** Publishes one kind of statistics in consecutive rounds, and pauses after a failed round. */
    private static final class Rounds {
        private final String what;
        private final ExecutorService thread;
        private final Runnable failed;
        private CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);
        private long next;
        private long nextTrim;

        Rounds(String what, String threadName, Runnable failed) {
            this.what = what;
            this.failed = failed;
            this.thread = Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name(threadName).daemon().factory());
        }

        /** Whether a round may begin: the last one has ended, and so has a pause. */
        boolean mayBegin(long now) {
            if (!running.isDone() || now < next) {
                return false;
            }
            if (running.join()) {
                return true;
            }
            failed.run();
            next = now + PAUSE_MILLIS;
            running = CompletableFuture.completedFuture(true);
            return false;
        }

        /** Offsets below which no statistics are needed, each time a removal is due. */
        Map<LogPartition, Long> trims(Collection<PartitionBuffers> partitions, long now) {
            if (now < nextTrim) {
                return Map.of();
            }
            nextTrim = now + TRIM_INTERVAL_MILLIS;
            return partitions.stream().collect(toMap(PartitionBuffers::partition, PartitionBuffers::base));
        }

        void begin(Runnable round) {
            running = CompletableFuture.supplyAsync(() -> isDone(round), thread);
        }

        private boolean isDone(Runnable round) {
            try {
                round.run();
                return true;
            } catch (RuntimeException e) {
                // Redis is unavailable or full, or holds data of another program
                LOG.warn(
                        "Cannot publish {} of the hot tier, next attempt in {} ms: {}",
                        what,
                        PAUSE_MILLIS,
                        e.toString());
                return false;
            }
        }
    }

    private final StatisticsSink store;
    private final Rounds chunks;
    private final Rounds columns;
    private long nextAsk;
    /** By stream, the tenants whose columns queries filter on. */
    private volatile Map<String, Set<String>> asked = Map.of();

    StatisticsPublisher(StatisticsSink store, String name, BuildMetrics metrics) {
        this.store = store;
        this.chunks = new Rounds("statistics", name + "-statistics", metrics::failedStatistics);
        this.columns = new Rounds("columns", name + "-columns", metrics::failedColumns);
    }

    /** A publisher to this Redis; empty if the address is empty. */
    static Optional<StatisticsPublisher> to(String redis, String name, BuildMetrics metrics) {
        return redis.isEmpty()
                ? Optional.empty()
                : Optional.of(new StatisticsPublisher(new StatisticsStore(URI.create(redis)), name, metrics));
    }

    /**
     * Publishes new statistics, unless a round is still in progress.
     *
     * @param now tick of the job's clock
     */
    void publish(Collection<PartitionBuffers> partitions, long now) {
        if (chunks.mayBegin(now)) {
            publishChunks(partitions, now);
        }
        if (columns.mayBegin(now)) {
            publishColumns(partitions, now);
        }
    }

    private void publishChunks(Collection<PartitionBuffers> partitions, long now) {
        List<News<ChunkStatistics>> news = new ArrayList<>();
        for (PartitionBuffers partition : partitions) {
            add(partition, partition.takeStatistics(), news);
        }
        Map<LogPartition, Long> trims = chunks.trims(partitions, now);
        if (!news.isEmpty() || !trims.isEmpty()) {
            chunks.begin(() -> {
                try {
                    news.forEach(each -> store.put(each.stream(), each.partition(), each.taken()));
                } finally {
                    // A full Redis accepts only removals
                    trims.forEach((partition, below) -> store.trim(partition.stream(), partition.id(), below));
                }
            });
        }
    }

    private void publishColumns(Collection<PartitionBuffers> partitions, long now) {
        List<News<TenantColumns>> news = new ArrayList<>();
        Set<String> streams = new HashSet<>();
        boolean ask = now >= nextAsk;
        for (PartitionBuffers partition : partitions) {
            String stream = partition.partition().stream();
            add(partition, partition.takeColumns(asked.getOrDefault(stream, Set.of())), news);
            if (ask) {
                streams.add(stream);
            }
        }
        if (ask) {
            nextAsk = now + ASK_INTERVAL_MILLIS;
        }
        Map<LogPartition, Long> trims = columns.trims(partitions, now);
        if (!news.isEmpty() || !trims.isEmpty() || !streams.isEmpty()) {
            columns.begin(() -> {
                trims.forEach((partition, below) -> store.trimColumns(partition.stream(), partition.id(), below));
                news.forEach(each -> store.putColumns(each.stream(), each.partition(), each.taken()));
                if (!streams.isEmpty()) {
                    Instant since = Instant.now().minus(ASKED_WITHIN);
                    asked = streams.stream().collect(toMap(identity(), stream -> store.asked(stream, since)));
                }
            });
        }
    }

    /** Skips partitions without a known leader: no query would request their statistics. */
    private static <T> void add(PartitionBuffers partition, List<T> taken, List<News<T>> news) {
        if (!taken.isEmpty() && partition.underLeader().isKnown()) {
            news.add(new News<>(partition.partition().stream(), partition.underLeader(), taken));
        }
    }

    @Override
    public void close() {
        chunks.thread.shutdownNow();
        columns.thread.shutdownNow();
        store.close();
    }
}
