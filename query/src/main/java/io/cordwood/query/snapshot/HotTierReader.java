package io.cordwood.query.snapshot;

import com.google.common.base.Suppliers;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.HotTier;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.KnownChunks;
import io.cordwood.hot.statistics.KnownColumns;
import io.cordwood.hot.statistics.StatisticsCache;
import io.cordwood.hot.statistics.StatisticsStore;
import io.cordwood.hot.token.PolledTokenRules;
import io.cordwood.identity.TokenRules;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.IOException;
import java.io.InputStream;
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

/** Reads the rows that are still in Kafka for queries; there are none without a Kafka. Thread-safe. */
public final class HotTierReader {
    /**
     * The addresses of Kafka and Redis, and the sizes of caches.
     *
     * @param kafkaServers bootstrap servers; empty for no hot tier
     * @param kafkaProperties file with further properties of the Kafka client
     * @param redis address of the chunk statistics; empty for none
     * @param statisticsInterval maximum age of statistics of growing chunks
     * @param statisticsCacheBytes memory for statistics
     * @param defaultTenant tenant of records without one; empty if such records are refused
     * @param requireTokens whether a record without a good token has no rows, as configured for the ingest job
     * @param cacheBytes memory for rows that were read
     */
    public record Settings(
            Optional<String> kafkaServers,
            Optional<Path> kafkaProperties,
            Optional<URI> redis,
            Duration statisticsInterval,
            long statisticsCacheBytes,
            String defaultTenant,
            boolean requireTokens,
            long cacheBytes) {}

    private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    /** How long a query waits for rules of tokens that cover the records that it reads. */
    private static final Duration MAX_WAIT_FOR_RULES = Duration.ofSeconds(10);

    private final Optional<Supplier<HotTier>> tier;
    private final Optional<PolledTokenRules> tokenRules;
    private final Optional<StatisticsCache> statistics;
    private final Duration interval;
    private final ExecutorService planners;
    private volatile Optional<HotTier> connected = Optional.empty();

    /**
     * Creates a reader that connects at first use.
     *
     * @param planners threads that plan; an unresponsive Kafka must not keep other queries from reading LogBlocks
     * @param rules reads the rules of tokens, if the settings require tokens
     */
    public HotTierReader(Settings settings, ExecutorService planners, Supplier<TokenRules> rules) {
        this.planners = planners;
        tokenRules = settings.requireTokens()
                ? Optional.of(new PolledTokenRules(rules, MAX_WAIT_FOR_RULES, millis -> {}, "cordwood"))
                : Optional.empty();
        // Connected at first use, so that a server can start before Kafka
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
                throw new QueryException(
                        QueryError.INVALID_CONFIGURATION,
                        "Cannot read the properties of the Kafka client in %s (%s)".formatted(file, e),
                        e);
            }
        });
        kafka.setProperty(BOOTSTRAP_SERVERS, servers);
        HotTier hotTier = new HotTier(
                kafka,
                DecodingPolicy.DEFAULT
                        .withDefaultTenant(settings.defaultTenant())
                        .withRequireToken(settings.requireTokens()),
                tokenRules.map(rules -> rules),
                settings.cacheBytes());
        connected = Optional.of(hotTier);
        return hotTier;
    }

    /**
     * The current log ends of the stream; empty if there is no such topic.
     *
     * @throws QueryException KAFKA_UNAVAILABLE if Kafka cannot be reached
     */
    public Optional<LogEnds> end(String stream) {
        return HotFailures.translated(
                () -> tier.flatMap(hotTier -> hotTier.get().end(stream)));
    }

    /**
     * The current beginnings of the stream's log; empty if there is no such topic.
     *
     * @throws QueryException KAFKA_UNAVAILABLE if Kafka cannot be reached
     */
    public Optional<LogOffsets> begin(String stream) {
        return HotFailures.translated(
                () -> tier.flatMap(hotTier -> hotTier.get().begin(stream)));
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

    /** Statistics of the chunks in spans below the end of a stream; none without Redis. */
    KnownChunks known(LogEnds version, List<OffsetSpan> spans) {
        return known(version, spans, Optional.empty());
    }

    /** The same, with a maximum age of statistics of growing chunks; empty for the configured one. */
    KnownChunks known(LogEnds version, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return statistics
                .map(cache -> cache.find(version.stream(), version.log(), spans, maxAge.orElse(interval)))
                .orElseGet(KnownChunks::new);
    }

    /** Statistics of a tenant's columns in the chunks of spans below the end of a stream; none without Redis. */
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

    /** Plans on separate threads: an unresponsive Kafka must not keep other queries from reading LogBlocks. */
    public <T> CompletableFuture<T> plan(Supplier<T> planning) {
        return CompletableFuture.supplyAsync(planning, planners);
    }

    public void close() {
        connected.ifPresent(HotTier::close);
        tokenRules.ifPresent(PolledTokenRules::close);
        statistics.ifPresent(StatisticsCache::close);
    }
}
