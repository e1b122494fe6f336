package io.cordwood.hot;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.DecodingPolicy;
import java.io.Closeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The rows that are still in Kafka. Thread-safe.
 *
 * <p>A query asks once for the end of a stream, after archived-through W and the tables' metadata, and then reads for
 * each table the offsets between what the table holds and that end: so it sees of each partition one prefix, each row
 * once.
 */
public final class HotTier implements Closeable {
    private final KafkaLogs tail;
    private final DecodingPolicy policy;
    private final HotChunkCache cache;

    /**
     * Connects to Kafka.
     *
     * @param kafka Kafka client properties, {@code bootstrap.servers} among them
     * @param policy how the ingest job decodes
     * @param cacheBytes memory for rows that were read before
     */
    public HotTier(Properties kafka, DecodingPolicy policy, long cacheBytes) {
        this.tail = new KafkaLogs(kafka, ClockWatch.ofMachine());
        this.policy = policy;
        this.cache = new HotChunkCache(cacheBytes);
    }

    /**
     * Where the stream's log ends now; empty if there is no such topic.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogEnds> end(String stream) {
        return tail.end(stream);
    }

    /**
     * Kafka's id of the topic that the stream has now; empty if there is none.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<String> topicId(String stream) {
        return tail.topicId(stream);
    }

    /**
     * Where the stream's log begins now: what was before it, Kafka no longer has. Empty if there is no such topic.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogOffsets> begin(String stream) {
        return tail.begin(stream);
    }

    /**
     * The first records that Kafka took at this time or later; the end of the log where there are none. Empty if there
     * is no such topic.
     *
     * @throws HotTierException if Kafka cannot be reached
     */
    public Optional<LogOffsets> since(String stream, Instant time) {
        return tail.since(stream, time);
    }

    /**
     * Reads rows of spans below the stream's end.
     *
     * @param log the log whose end that is
     * @param spans of each partition in order and without overlap
     * @param useCache whether rows that were read before are taken from memory
     * @param metrics counts what the scan takes; of this scan alone
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
        return new HotScan(tail, used, policy, stream, log, spans, tables, limits, metrics);
    }

    /**
     * Whether records of a tenant are in spans below the stream's end.
     *
     * @param topicId id of the topic whose end that is
     */
    public boolean holds(String tenantId, String stream, String topicId, List<HotSpan> spans, ReadLimits limits) {
        List<OffsetSpan> reads =
                spans.stream().flatMap(span -> span.reads().stream()).toList();
        return new TenantSearch(tail, policy, stream, limits).find(tenantId, reads)
                && tail.topicId(stream).equals(Optional.of(topicId));
    }

    @Override
    public void close() {
        tail.close();
    }
}
