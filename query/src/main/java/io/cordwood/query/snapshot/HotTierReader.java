package io.cordwood.query.snapshot;

import com.google.common.base.Suppliers;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.HotTier;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.KnownChunks;
import io.cordwood.hot.statistics.KnownColumns;
import io.cordwood.hot.statistics.StatisticsCache;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.query.error.QueryException;
import io.cordwood.record.DecodingPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** The rows that are still in Kafka, as queries read them; none without a Kafka. Thread-safe. */
public final class HotTierReader {
    /**
     * Where the rows are, and how many of them are kept in memory.
     *
     * @param kafkaServers bootstrap servers; empty for no hot tail
     * @param kafkaProperties file with further properties of the Kafka client
     * @param redis where chunk statistics are; empty for none
     * @param statisticsInterval how old statistics of chunks that grow may be
     * @param statisticsCacheBytes memory for statistics
     * @param defaultTenant tenant of records that name none; empty if such records are refused
     * @param cacheBytes memory for rows that were read
     */
    public record Settings(
            Optional<String> kafkaServers,
            Optional<Path> kafkaProperties,
            Optional<URI> redis,
            Duration statisticsInterval,
            long statisticsCacheBytes,
            String defaultTenant,
            long cacheBytes) {}

    private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

    private final Optional<Supplier<HotTier>> tier;
    private final Optional<StatisticsCache> statistics;
    private final Duration interval;
    private final ExecutorService planners;
    private volatile Optional<HotTier> connected = Optional.empty();

    /**
     * A tail that is connected at first use.
     *
     * @param planners threads that plan; a Kafka that does not answer must not keep others from reading LogBlocks
     */
    public HotTierReader(Settings settings, ExecutorService planners) {
        this.planners = planners;
        // Connected at first use: a server that starts before Kafka is not broken for good
        statistics = settings.redis()
                .map(redis -> new StatisticsCache(new StatisticsStore(redis), settings.statisticsCacheBytes()));
        interval = settings.statisticsInterval();
        tier = settings.kafkaServers().map(servers -> Suppliers.memoize(() -> connect(servers, settings)));
    }

    private HotTier connect(String servers, Settings settings) {
        Properties kafka = new Properties();
        settings.kafkaProperties().ifPresent(file -> {
            try (InputStream in = Files.newInputStream(file)) {
                kafka.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read cordwood.kafka-properties %s".formatted(file), e);
            }
        });
        kafka.setProperty(BOOTSTRAP_SERVERS, servers);
        HotTier hotTier = new HotTier(
                kafka, DecodingPolicy.DEFAULT.withDefaultTenant(settings.defaultTenant()), settings.cacheBytes());
        connected = Optional.of(hotTier);
        return hotTier;
    }

    /**
     * Where the stream's log ends now; empty if there is no such topic.
     *
     * @throws QueryException KAFKA_ERROR if Kafka cannot be reached
     */
    Optional<LogEnds> end(String stream) {
        return HotFailures.translated(
                () -> tier.flatMap(hotTier -> hotTier.get().end(stream)));
    }

    /** Whether there is a Kafka to read. */
    boolean isConfigured() {
        return tier.isPresent();
    }

    /** The id of the stream's topic; empty if there is no such topic. */
    Optional<String> topicId(String stream) {
        return HotFailures.translated(
                () -> tier.flatMap(hotTier -> hotTier.get().topicId(stream)));
    }

    /** What is known of the chunks in spans below the end of a stream: nothing without Redis. */
    KnownChunks known(LogEnds version, List<OffsetSpan> spans) {
        return known(version, spans, Optional.empty());
    }

    /** The same, with what is known of chunks that grow no older than this, else as configured. */
    KnownChunks known(LogEnds version, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return statistics
                .map(cache -> cache.find(version.stream(), version.log(), spans, maxAge.orElse(interval)))
                .orElseGet(KnownChunks::new);
    }

    /** What is known of a tenant's columns in the chunks of spans below the end of a stream: nothing without Redis. */
    KnownColumns knownColumns(LogEnds version, String tenantId, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return statistics
                .map(cache ->
                        cache.findColumns(version.stream(), version.log(), tenantId, spans, maxAge.orElse(interval)))
                .orElseGet(KnownColumns::new);
    }

    /** Begins to read spans below the end of a stream that has one. */
    public HotScan scan(
            String stream,
            LogVersion log,
            List<HotSpan> spans,
            HotTables tables,
            ReadLimits limits,
            boolean useCache,
            HotReadMetrics metrics) {
        return HotFailures.translated(
                () -> tier.orElseThrow().get().scan(stream, log, spans, tables, limits, useCache, metrics));
    }

    /** Whether records of a tenant are in spans below the end of a stream that has one. */
    boolean holds(String tenantId, LogEnds version, List<HotSpan> spans, ReadLimits limits) {
        return HotFailures.translated(
                () -> tier.orElseThrow().get().holds(tenantId, version.stream(), version.topicId(), spans, limits));
    }

    /** Plans on threads of its own: a Kafka that does not answer must not keep others from reading LogBlocks. */
    public <T> CompletableFuture<T> plan(Supplier<T> planning) {
        return CompletableFuture.supplyAsync(planning, planners);
    }

    public void close() {
        connected.ifPresent(HotTier::close);
        statistics.ifPresent(StatisticsCache::close);
    }
}
