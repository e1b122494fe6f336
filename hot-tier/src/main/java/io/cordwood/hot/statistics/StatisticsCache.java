package io.cordwood.hot.statistics;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.cordwood.catalog.PartitionId;
import io.cordwood.hot.OffsetSpan;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
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
    private static final int MEMBER_BYTES = 120;
    /** More chunks are not asked for at a time: of the others nothing is known then. */
    private static final int MAX_ASKED = 1024;
    /** The same of columns, which are up to 64 KB each. */
    private static final int MAX_COLUMNS_ASKED = 256;
    /** Of more tenants it is not remembered when they were asked for. */
    private static final int MAX_TENANTS = 10_000;

    private static final Duration NOTE_INTERVAL = Duration.ofMinutes(1);
    /** So long after a failure Redis is left alone: queries do not wait for it one after another. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** @param tenantId whose columns it is about; empty if it is about all tenants' rows */
    private record Key(PartitionId partition, Optional<String> tenantId, long number) {
        /** All chunks of the partition. */
        Key ofAll() {
            return new Key(partition, tenantId, -1);
        }
    }

    private record Asked(String stream, String tenantId) {}

    private final StatisticsStore store;
    private final Cache<Key, ChunkStatistics> chunks;
    private final Cache<Key, TenantColumns> columns;
    /** When what is known of all chunks of a partition was synchronised. */
    private final Cache<Key, Long> synchronisedNanos =
            Caffeine.newBuilder().maximumSize(MAX_TENANTS).build();

    /** Tenants of which it is noted that they are asked for. */
    private final Cache<Asked, Boolean> noted = Caffeine.newBuilder()
            .maximumSize(MAX_TENANTS)
            .expireAfterWrite(NOTE_INTERVAL)
            .build();

    private long pauseEndNanos = System.nanoTime();

    /** @param maxBytes memory for statistics, about */
    public StatisticsCache(StatisticsStore store, long maxBytes) {
        this.store = store;
        this.chunks = Caffeine.newBuilder()
                .maximumWeight(maxBytes / 2)
                .weigher((Key key, ChunkStatistics chunk) ->
                        CHUNK_BYTES + TENANT_BYTES * chunk.tenants().size())
                .build();
        this.columns = Caffeine.newBuilder()
                .maximumWeight(maxBytes / 2)
                .weigher((Key key, TenantColumns chunk) -> CHUNK_BYTES
                        + MEMBER_BYTES * chunk.members().size()
                        + Long.BYTES * chunk.terms().words().length)
                .build();
    }

    /**
     * What is known of the chunks that lie in these spans of a topic; of the others nothing is.
     *
     * @param interval for how long what is known of chunks that grow is taken as it is
     */
    public synchronized KnownChunks find(String stream, String topicId, List<OffsetSpan> spans, Duration interval) {
        KnownChunks known = new KnownChunks();
        find(
                        chunks,
                        keys(topicId, Optional.empty(), spans),
                        ChunkStatistics::isWhole,
                        ChunkStatistics::number,
                        MAX_ASKED,
                        interval,
                        asked -> store.get(stream, asked))
                .forEach(known::add);
        return known;
    }

    /**
     * What is known of a tenant's columns in the chunks that lie in these spans of a topic, and a note for the ingest job that
     * somebody asks for them.
     */
    public synchronized KnownColumns findColumns(
            String stream, String topicId, String tenantId, List<OffsetSpan> spans, Duration interval) {
        note(stream, tenantId);
        KnownColumns known = new KnownColumns();
        find(
                        columns,
                        keys(topicId, Optional.of(tenantId), spans),
                        each -> ChunkStatistics.isWhole(each.span()),
                        TenantColumns::number,
                        MAX_COLUMNS_ASKED,
                        interval,
                        asked -> store.getColumns(stream, tenantId, asked))
                .forEach(known::add);
        return known;
    }

    private void note(String stream, String tenantId) {
        Asked asked = new Asked(stream, tenantId);
        if (noted.getIfPresent(asked) == null && System.nanoTime() - pauseEndNanos >= 0) {
            try {
                store.ask(stream, tenantId);
                noted.put(asked, true);
            } catch (RuntimeException e) {
                pause(e);
            }
        }
    }

    private static Set<Key> keys(String topicId, Optional<String> tenantId, List<OffsetSpan> spans) {
        Set<Key> keys = new LinkedHashSet<>();
        for (OffsetSpan span : spans) {
            PartitionId partition = new PartitionId(topicId, span.partition());
            for (long number = ChunkStatistics.number(span.from());
                    number * ChunkStatistics.OFFSETS < span.to();
                    number++) {
                keys.add(new Key(partition, tenantId, number));
            }
        }
        return keys;
    }

    /** What is known by these keys, from memory or from Redis. */
    private <T> Collection<T> find(
            Cache<Key, T> cache,
            Set<Key> keys,
            Predicate<T> isWhole,
            ToLongFunction<T> number,
            int maxAsked,
            Duration interval,
            Function<Map<PartitionId, List<Long>>, Map<PartitionId, List<T>>> ask) {
        long now = System.nanoTime();
        Map<Key, T> known = new LinkedHashMap<>();
        List<Key> asked = new ArrayList<>();
        for (Key key : keys) {
            T found = cache.getIfPresent(key);
            if (found != null) {
                known.put(key, found);
            }
            if ((found == null || !isWhole.test(found)) && asked.size() < maxAsked && !isFresh(key, now, interval)) {
                asked.add(key);
            }
        }
        if (!asked.isEmpty() && now - pauseEndNanos >= 0) {
            known.putAll(synchronise(asked, number, ask));
            cache.putAll(known);
        }
        return known.values();
    }

    private boolean isFresh(Key key, long now, Duration interval) {
        Long last = synchronisedNanos.getIfPresent(key.ofAll());
        return last != null && now - last < interval.toNanos();
    }

    private <T> Map<Key, T> synchronise(
            List<Key> asked,
            ToLongFunction<T> number,
            Function<Map<PartitionId, List<Long>>, Map<PartitionId, List<T>>> ask) {
        Map<Key, T> found = new HashMap<>();
        Optional<String> tenantId = asked.getFirst().tenantId();
        try {
            ask.apply(asked.stream().collect(groupingBy(Key::partition, mapping(Key::number, toList()))))
                    .forEach((partition, answers) -> answers.forEach(
                            each -> found.put(new Key(partition, tenantId, number.applyAsLong(each)), each)));
            long now = System.nanoTime();
            asked.forEach(key -> synchronisedNanos.put(key.ofAll(), now));
        } catch (RuntimeException e) {
            pause(e);
        }
        return found;
    }

    /** Redis is away, or holds what nobody of us has put there. */
    private void pause(RuntimeException failure) {
        pauseEndNanos = System.nanoTime() + PAUSE.toNanos();
        LOG.warn(
                "Statistics of the hot tier are not to be had for {} s, its records are read: {}",
                PAUSE.toSeconds(),
                failure.toString());
    }

    @Override
    public void close() {
        store.close();
    }
}
