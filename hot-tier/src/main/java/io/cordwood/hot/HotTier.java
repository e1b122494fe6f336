package io.cordwood.hot;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.token.TokenCheck;
import io.cordwood.record.token.TokenRulesSource;
import java.io.Closeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The rows that are still in Kafka. Thread-safe.
 *
 * <p>A query reads the archived-through offsets and the tables' metadata first, and then, once, the end of the stream.
 * For each table it reads the offsets between the table's offsets and that end. So it sees one prefix of each
 * partition, and each row once.
 */
public final class HotTier implements Closeable {
    private final KafkaLogs logs;
    private final DecodingPolicy policy;
    private final Optional<TokenCheck> tokens;
    private final HotChunkCache cache;

    /** Connects to Kafka, with a decoding policy that does not require tokens. */
    public HotTier(Properties kafka, DecodingPolicy policy, long cacheBytes) {
        this(kafka, policy, Optional.empty(), cacheBytes);
    }

    /**
     * Connects to Kafka.
     *
     * @param kafka Kafka client properties, {@code bootstrap.servers} among them
     * @param policy the decoding policy of the ingest job
     * @param rules rules of the records' tokens, if the policy requires them; what it throws ends a scan
     * @param cacheBytes memory for cached rows
     * @throws IllegalArgumentException unless there are such rules if, and only if, the policy requires tokens
     */
    public HotTier(Properties kafka, DecodingPolicy policy, Optional<TokenRulesSource> rules, long cacheBytes) {
        if (policy.requireToken() != rules.isPresent()) {
            throw new IllegalArgumentException("A policy that requires tokens goes with their rules");
        }
        this.logs = new KafkaLogs(kafka, ClockWatch.ofMachine());
        this.policy = policy;
        this.tokens = rules.map(TokenCheck::new);
        this.cache = new HotChunkCache(cacheBytes);
    }

    /**
     * The current end of the stream's log; empty if the topic does not exist.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogEnds> end(String stream) {
        return logs.end(stream);
    }

    /**
     * Kafka's id of the stream's current topic; empty if the topic does not exist.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<String> topicId(String stream) {
        return logs.topicId(stream);
    }

    /**
     * The current beginning of the stream's log; Kafka no longer has earlier records. Empty if the topic does not
     * exist.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogOffsets> begin(String stream) {
        return logs.begin(stream);
    }

    /**
     * The offsets of the first records that Kafka appended at this time or later; the end of the log for partitions
     * without such records. Empty if the topic does not exist.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogOffsets> since(String stream, Instant time) {
        return logs.since(stream, time);
    }

    /**
     * Reads rows of offset spans below the stream's end.
     *
     * @param log the log that the end belongs to
     * @param spans for each partition in order and without overlap
     * @param useCache whether the scan uses cached rows
     * @param metrics counters of this scan alone
     */
    public HotScan scan(
            String stream,
            LogVersion log,
            List<HotSpan> spans,
            HotTables tables,
            ReadLimits limits,
            boolean useCache,
            HotReadMetrics metrics) {
        Optional<HotChunkCache> used = useCache ? Optional.of(cache) : Optional.empty();
        return new HotScan(
                logs, used, policy, new RecordDecoder(policy, tokens), stream, log, spans, tables, limits, metrics);
    }

    /**
     * Whether spans below the stream's end hold records of a tenant.
     *
     * @param topicId id of the topic that the end belongs to
     */
    public boolean holds(String tenantId, String stream, String topicId, List<HotSpan> spans, ReadLimits limits) {
        List<OffsetSpan> reads =
                spans.stream().flatMap(span -> span.reads().stream()).toList();
        return new TenantSearch(logs, new RecordDecoder(policy, tokens), stream, limits).find(tenantId, reads)
                && logs.topicId(stream).equals(Optional.of(topicId));
    }

    @Override
    public void close() {
        logs.close();
    }
}
