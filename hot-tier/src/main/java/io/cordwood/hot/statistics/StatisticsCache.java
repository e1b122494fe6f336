package io.cordwood.hot.statistics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.cordwood.catalog.PartitionId;
import io.cordwood.hot.OffsetSpan;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the statistics of the tail, synchronised as queries ask for it (section 5 of the partition pruning paper): a
 * whole chunk never changes and is asked for once, the others again when the last time is longer ago than the interval.
 * Queries that ask meanwhile wait for the same answer. Bounded by bytes. Thread-safe.
 */
public final class StatisticsCache implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StatisticsCache.class);
    private static final int CHUNK_BYTES = 200;
    private static final int TENANT_BYTES = 150;
    /** More chunks are not asked for at a time: of the others nothing is known then. */
    private static final int MAX_ASKED = 1024;
    /** So long after a failure Redis is left alone: queries do not wait for it one after another. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private record Key(PartitionId partition, long number) {}

    private final StatisticsStore store;
    private final long intervalNanos;
    private final Cache<Key, ChunkStatistics> chunks;
    /** When each partition was synchronised. */
    private final Map<PartitionId, Long> synchronisedNanos = new HashMap<>();

    private long pauseEndNanos = System.nanoTime();

    /**
     * @param maxBytes memory for statistics, about
     * @param interval for how long what is known of chunks that grow is taken as it is
     */
    public StatisticsCache(StatisticsStore store, long maxBytes, Duration interval) {
        this.store = store;
        this.intervalNanos = interval.toNanos();
        this.chunks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, ChunkStatistics chunk) ->
                        CHUNK_BYTES + TENANT_BYTES * chunk.tenants().size())
                .build();
    }

    /** What is known of the chunks that lie in these spans of a topic; of the others nothing is. */
    public synchronized KnownChunks find(String stream, String topicId, List<OffsetSpan> spans) {
        Map<PartitionId, List<Long>> asked = new HashMap<>();
        KnownChunks known = new KnownChunks();
        int askedCount = 0;
        long now = System.nanoTime();
        for (OffsetSpan span : spans) {
            PartitionId partition = new PartitionId(topicId, span.partition());
            boolean isFresh = isFresh(partition, now);
            for (long number = ChunkStatistics.number(span.from());
                    number * ChunkStatistics.OFFSETS < span.to();
                    number++) {
                ChunkStatistics chunk = chunks.getIfPresent(new Key(partition, number));
                if (chunk != null) {
                    known.add(chunk);
                }
                if (!isFresh && (chunk == null || !chunk.isWhole()) && askedCount++ < MAX_ASKED) {
                    asked.computeIfAbsent(partition, any -> new ArrayList<>()).add(number);
                }
            }
        }
        if (!asked.isEmpty() && now - pauseEndNanos >= 0) {
            synchronise(stream, asked).forEach(known::add);
        }
        return known;
    }

    private boolean isFresh(PartitionId partition, long now) {
        Long last = synchronisedNanos.get(partition);
        return last != null && now - last < intervalNanos;
    }

    private List<ChunkStatistics> synchronise(String stream, Map<PartitionId, List<Long>> asked) {
        List<ChunkStatistics> found = new ArrayList<>();
        try {
            store.get(stream, asked).forEach((partition, answers) -> {
                for (ChunkStatistics chunk : answers) {
                    chunks.put(new Key(partition, chunk.number()), chunk);
                    found.add(chunk);
                }
            });
            long now = System.nanoTime();
            asked.keySet().forEach(partition -> synchronisedNanos.put(partition, now));
        } catch (RuntimeException e) {
            // Redis is away, or holds what nobody of us has put there
            pauseEndNanos = System.nanoTime() + PAUSE.toNanos();
            LOG.warn(
                    "Statistics of the hot tier are not to be had for {} s, its records are read: {}",
                    PAUSE.toSeconds(),
                    e.toString());
        }
        return found;
    }

    @Override
    public void close() {
        store.close();
    }
}
