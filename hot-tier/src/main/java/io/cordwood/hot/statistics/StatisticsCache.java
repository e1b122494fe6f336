package io.cordwood.hot.statistics;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the hot tier's statistics, synchronised when queries need it (section 5 of the partition pruning paper). A
 * whole chunk never changes and is fetched once. Other chunks are fetched again when the last fetch is older than the
 * interval. Concurrent queries wait for the same response. Bounded by bytes. Thread-safe.
 *
 * <p>The newest chunks of each partition come first. Columns are fetched independently of chunks: slow or failed column
 * fetches do not delay chunks.
 */
public final class StatisticsCache implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StatisticsCache.class);
    /** Maximum number of chunks in one fetch; the other chunks then have no statistics. */
    private static final int MAX_ASKED = 1024;
    /** The same for columns. */
    private static final int MAX_COLUMNS_ASKED = 256;
    /**
     * Number of chunks whose columns, at most 64 KB each, form one response: it must arrive well within the store's
     * timeout.
     */
    private static final int MAX_COLUMNS_FETCHED = 32;
    /** After this time a query fetches no more columns: reading the records is faster. */
    private static final Duration MAX_COLUMNS_WAIT = Duration.ofMillis(250);
    /** Limit of the tenants whose last request is remembered. */
    private static final int MAX_TENANTS = 10_000;
    /** Limit of the chunks that are remembered to have no columns. */
    private static final int MAX_MISSING = 65_536;
    /** The job publishes columns of a chunk within seconds after it has read the chunk to its end, if at all. */
    private static final Duration MISSING_INTERVAL = Duration.ofMinutes(1);

    private static final Duration NOTE_INTERVAL = Duration.ofMinutes(1);
    /** How long Redis is not asked after a failure, so that queries do not wait for it one after another. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** @param tenantId the tenant of column statistics; empty for statistics of all tenants' rows */
    private record Key(PartitionEpoch partition, Optional<String> tenantId, long number) {
        /** All chunks of the partition. */
        Key ofAll() {
            return new Key(partition, tenantId, -1);
        }

        /** The statistics of all tenants in the chunk. */
        Key ofChunk() {
            return new Key(partition, Optional.empty(), number);
        }
    }

    private record Asked(String stream, String tenantId) {}

    /** One kind of statistics; a fetch holds its monitor. */
    private static final class Kind<T extends ChunkKnowledge> {
        private final Ticker ticker;
        private final Class<T> type;
        private final int maxAsked;
        private final int maxFetched;
        private long pauseEndNanos;

        Kind(Ticker ticker, Class<T> type, int maxAsked, int maxFetched) {
            this.ticker = ticker;
            this.pauseEndNanos = ticker.read();
            this.type = type;
            this.maxAsked = maxAsked;
            this.maxFetched = maxFetched;
        }

        boolean isPaused() {
            return ticker.read() - pauseEndNanos < 0;
        }

        /** Redis is unavailable, or holds data of another program. */
        void pause(RuntimeException failure) {
            pauseEndNanos = ticker.read() + PAUSE.toNanos();
            LOG.warn(
                    "{} of the hot tier are unavailable for {} s, so queries read its records: {}",
                    type.getSimpleName(),
                    PAUSE.toSeconds(),
                    failure.toString());
        }
    }

    private final StatisticsSource source;
    private final Ticker ticker;
    private final Kind<ChunkStatistics> chunks;
    private final Kind<TenantColumns> columns;
    private final Cache<Key, ChunkKnowledge> cache;
    /** When all chunks of a partition were last synchronised. */
    private final Cache<Key, Long> synchronisedNanos =
            Caffeine.newBuilder().maximumSize(MAX_TENANTS).build();

    /** Whole chunks that had no columns at the last fetch. */
    private final Cache<Key, Boolean> missing;
    /** Tenants that are registered as requested. */
    private final Cache<Asked, Boolean> noted;

    /** @param maxBytes approximate memory for statistics */
    public StatisticsCache(StatisticsSource source, long maxBytes) {
        this(source, maxBytes, Ticker.systemTicker());
    }

    StatisticsCache(StatisticsSource source, long maxBytes, Ticker ticker) {
        this.source = source;
        this.ticker = ticker;
        this.chunks = new Kind<>(ticker, ChunkStatistics.class, MAX_ASKED, MAX_ASKED);
        this.columns = new Kind<>(ticker, TenantColumns.class, MAX_COLUMNS_ASKED, MAX_COLUMNS_FETCHED);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, ChunkKnowledge known) -> known.bytes())
                .build();
        this.missing = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumSize(MAX_MISSING)
                .expireAfterWrite(MISSING_INTERVAL)
                .build();
        this.noted = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumSize(MAX_TENANTS)
                .expireAfterWrite(NOTE_INTERVAL)
                .build();
    }

    /**
     * The statistics of the chunks in these spans of a log; other chunks have none. Statistics from under another
     * leader do not count.
     *
     * @param interval how long statistics of growing chunks stay valid without a new fetch
     */
    public KnownChunks find(String stream, LogVersion log, List<OffsetSpan> spans, Duration interval) {
        KnownChunks known = new KnownChunks();
        synchronized (chunks) {
            find(chunks, keys(log, Optional.empty(), spans), interval, asked -> source.get(stream, asked))
                    .forEach(known::add);
        }
        return known;
    }

    /**
     * The column statistics of a tenant for the chunks in these spans of a topic. Also registers for the ingest job
     * that a query requests them.
     *
     * @param interval how long statistics of growing chunks stay valid without a new fetch
     */
    public KnownColumns findColumns(
            String stream, LogVersion log, String tenantId, List<OffsetSpan> spans, Duration interval) {
        KnownColumns known = new KnownColumns();
        synchronized (columns) {
            note(stream, tenantId);
            find(
                            columns,
                            keys(log, Optional.of(tenantId), spans),
                            interval,
                            asked -> source.getColumns(stream, tenantId, asked))
                    .forEach(known::add);
        }
        return known;
    }

    private void note(String stream, String tenantId) {
        Asked asked = new Asked(stream, tenantId);
        if (noted.getIfPresent(asked) == null && !columns.isPaused()) {
            try {
                source.ask(stream, tenantId);
                noted.put(asked, true);
            } catch (RuntimeException e) {
                columns.pause(e);
            }
        }
    }

    /** The chunks in the spans: the newest of each partition, then the previous one of each, and so on. */
    private static List<Key> keys(LogVersion log, Optional<String> tenantId, List<OffsetSpan> spans) {
        Map<PartitionEpoch, NavigableSet<Long>> numbers = new LinkedHashMap<>();
        for (OffsetSpan span : spans) {
            PartitionEpoch partition = new PartitionEpoch(
                    new PartitionId(log.topicId(), span.partition()), log.leaderEpoch(span.partition()));
            if (!partition.isKnown()) {
                continue;
            }
            NavigableSet<Long> ofPartition = numbers.computeIfAbsent(partition, any -> new TreeSet<>());
            for (long number = ChunkStatistics.number(span.from());
                    number * ChunkStatistics.OFFSETS < span.to();
                    number++) {
                ofPartition.add(number);
            }
        }
        List<Key> keys = new ArrayList<>();
        while (!numbers.isEmpty()) {
            numbers.forEach((partition, left) -> keys.add(new Key(partition, tenantId, left.pollLast())));
            numbers.values().removeIf(NavigableSet::isEmpty);
        }
        return keys;
    }

    /** The statistics of these keys, from memory or from the source. */
    private <T extends ChunkKnowledge> Collection<T> find(
            Kind<T> kind,
            List<Key> keys,
            Duration interval,
            Function<Map<PartitionEpoch, List<Long>>, Map<PartitionEpoch, List<T>>> fetch) {
        long now = ticker.read();
        Map<Key, T> known = new LinkedHashMap<>();
        List<Key> asked = new ArrayList<>();
        for (Key key : keys) {
            T found = kind.type.cast(cache.getIfPresent(key));
            if (found != null) {
                known.put(key, found);
            }
            if ((found == null || !found.isWhole())
                    && asked.size() < kind.maxAsked
                    && missing.getIfPresent(key) == null
                    && !isFresh(key, now, interval)) {
                asked.add(key);
            }
        }
        for (int from = 0; from < asked.size() && !kind.isPaused(); from += kind.maxFetched) {
            if (ticker.read() - now > MAX_COLUMNS_WAIT.toNanos()) {
                break;
            }
            List<Key> some = asked.subList(from, Math.min(asked.size(), from + kind.maxFetched));
            Map<Key, T> found = synchronise(kind, some, fetch);
            known.putAll(found);
            cache.putAll(found);
        }
        return known.values();
    }

    private boolean isFresh(Key key, long now, Duration interval) {
        Long last = synchronisedNanos.getIfPresent(key.ofAll());
        return last != null && now - last < interval.toNanos();
    }

    private <T extends ChunkKnowledge> Map<Key, T> synchronise(
            Kind<T> kind,
            List<Key> asked,
            Function<Map<PartitionEpoch, List<Long>>, Map<PartitionEpoch, List<T>>> fetch) {
        Map<Key, T> found = new HashMap<>();
        Optional<String> tenantId = asked.getFirst().tenantId();
        try {
            fetch.apply(asked.stream().collect(groupingBy(Key::partition, mapping(Key::number, toList()))))
                    .forEach((partition, answers) ->
                            answers.forEach(each -> found.put(new Key(partition, tenantId, each.number()), each)));
            long now = ticker.read();
            for (Key key : asked) {
                synchronisedNanos.put(key.ofAll(), now);
                if (tenantId.isPresent() && !found.containsKey(key) && isRead(key)) {
                    missing.put(key, true);
                }
            }
        } catch (RuntimeException e) {
            kind.pause(e);
        }
        return found;
    }

    /** Whether the ingest job is known to have read the chunk to its end. */
    private boolean isRead(Key key) {
        ChunkKnowledge chunk = cache.getIfPresent(key.ofChunk());
        return chunk != null && chunk.isWhole();
    }

    @Override
    public void close() {
        source.close();
    }
}
