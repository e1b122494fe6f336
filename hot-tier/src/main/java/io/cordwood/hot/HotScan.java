package io.cordwood.hot;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.HotChunkCache.Part;
import io.cordwood.hot.HotTierException.Kind;
import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A scan of offset spans that returns their rows chunk by chunk, as in-memory LogBlocks. Its memory is bounded by the
 * rows of a few chunks, however long the spans are. Not thread-safe; calls block.
 */
public final class HotScan implements Closeable {
    /** Limit of the memory for rows of incomplete chunks. */
    private static final long MAX_BUFFERED_BYTES = 32 << 20;
    /** After this many empty polls, check whether the topic still exists. */
    private static final int CHECK_TOPIC_AFTER_POLLS = 10;
    /** A chunk with more parts is read again from its beginning. */
    private static final int MAX_PARTS = 8;

    private final KafkaLogs logs;
    private final Optional<HotChunkCache> cache;
    private final String stream;
    private final LogVersion log;
    private final HotTables tables;
    private final ReadLimits limits;
    private final HotReadMetrics metrics;
    private final RecordDecoder decoder;
    private final HotLogBlockBuilder builder;
    /** Incomplete chunks by partition, in order. */
    private final Map<Integer, Deque<Chunk>> chunks = new HashMap<>();

    /** Complete chunks that wait for the check that they belong to the topic. */
    private final Map<HotChunkCache.Key, List<Part>> ended = new HashMap<>();

    private final List<HotLogBlock> ready = new ArrayList<>();
    private Optional<LogCursor> cursor = Optional.empty();
    private long buffered;
    private int emptyPolls;

    HotScan(
            KafkaLogs logs,
            Optional<HotChunkCache> cache,
            DecodingPolicy policy,
            RecordDecoder decoder,
            String stream,
            LogVersion log,
            List<HotSpan> spans,
            HotTables tables,
            ReadLimits limits,
            HotReadMetrics metrics) {
        this.logs = logs;
        this.cache = cache;
        this.stream = stream;
        this.log = log;
        this.tables = tables;
        this.limits = limits;
        this.metrics = metrics;
        this.decoder = decoder;
        this.builder = new HotLogBlockBuilder(policy, stream, log.topicId());
        for (HotSpan span : spans) {
            Chunk.of(span).forEach(this::start);
        }
        if (!chunks.isEmpty()) {
            cursor = Optional.of(new LogCursor(logs, stream, unread(), limits.timeout()));
        }
    }

    /** Takes the cached parts of a chunk, and schedules the rest for reading. */
    private void start(Chunk chunk) {
        for (Part part : known(chunk)) {
            chunk.add(part);
            ready.addAll(part.logBlocks());
        }
        if (!chunk.parts().isEmpty()) {
            metrics.chunksCached.increment();
        }
        if (chunk.isDone()) {
            return;
        }
        if (chunk.unread().isEmpty()) {
            end(chunk);
            return;
        }
        metrics.chunksRead.increment();
        chunks.computeIfAbsent(chunk.span().partition(), any -> new ArrayDeque<>())
                .add(chunk);
    }

    private List<Part> known(Chunk chunk) {
        Optional<HotChunkCache.Key> key = key(chunk);
        if (key.isEmpty()) {
            return List.of();
        }
        List<Part> parts = cache.orElseThrow().get(key.get()).stream()
                .filter(part -> part.to() <= chunk.span().to())
                .toList();
        boolean isWhole =
                !parts.isEmpty() && parts.getLast().to() == chunk.span().to();
        return isWhole || parts.size() < MAX_PARTS ? parts : List.of();
    }

    private Optional<HotChunkCache.Key> key(Chunk chunk) {
        int leaderEpoch = log.leaderEpoch(chunk.span().partition());
        return cache.isPresent()
                        && leaderEpoch != LogVersion.NO_EPOCH
                        && tables instanceof HotTables.One(HotTable table)
                ? Optional.of(new HotChunkCache.Key(
                        log.topicId(),
                        chunk.span().partition(),
                        leaderEpoch,
                        chunk.span().from(),
                        table.tenantId(),
                        table.version()))
                : Optional.empty();
    }

    /** The spans to read, with adjacent spans merged. */
    private List<OffsetSpan> unread() {
        List<OffsetSpan> spans = new ArrayList<>();
        for (Deque<Chunk> inPartition : chunks.values()) {
            for (Chunk chunk : inPartition) {
                chunk.unread().forEach(span -> addTo(spans, span));
            }
        }
        return spans;
    }

    private static void addTo(List<OffsetSpan> spans, OffsetSpan next) {
        if (!spans.isEmpty()
                && spans.getLast().partition() == next.partition()
                && spans.getLast().to() == next.from()) {
            OffsetSpan last = spans.removeLast();
            spans.add(new OffsetSpan(last.partition(), last.from(), next.to()));
        } else {
            spans.add(next);
        }
    }

    /** Whether all rows have been handed out. */
    public boolean isDone() {
        return ready.isEmpty() && chunks.isEmpty();
    }

    /**
     * The next LogBlocks; empty if Kafka has not returned enough records yet.
     *
     * @throws HotTierException if Kafka cannot be read, or the spans hold more than the limits allow
     */
    public List<HotLogBlock> next() {
        if (ready.isEmpty() && cursor.isPresent()) {
            List<LogCursor.Batch> batches = cursor.get().poll();
            batches.forEach(this::take);
            emptyPolls = batches.isEmpty() ? emptyPolls + 1 : 0;
            if (buffered > MAX_BUFFERED_BYTES) {
                chunks.values().forEach(inPartition -> cut(inPartition.getFirst()));
            }
            if (!ready.isEmpty() || chunks.isEmpty() || emptyPolls == CHECK_TOPIC_AFTER_POLLS) {
                checkTopic();
                ended.forEach((key, parts) -> cache.orElseThrow().put(key, parts));
                ended.clear();
            }
        }
        List<HotLogBlock> taken = List.copyOf(ready);
        ready.clear();
        return taken;
    }

    private void take(LogCursor.Batch batch) {
        Deque<Chunk> inPartition = chunks.get(batch.partition());
        PartitionId partition = new PartitionId(log.topicId(), batch.partition());
        for (ConsumerRecord<byte[], byte[]> consumed : batch.records()) {
            checkLeader(consumed);
            while (consumed.offset() >= inPartition.getFirst().span().to()) {
                end(inPartition.removeFirst());
            }
            int bytes = ConsumedRecords.bytes(consumed);
            limits.read(bytes, stream);
            metrics.recordsRead.increment();
            metrics.bytesRead.add(bytes);
            decode(partition, ConsumedRecords.of(consumed), inPartition.getFirst());
        }
        while (!inPartition.isEmpty() && inPartition.getFirst().span().to() <= batch.position()) {
            end(inPartition.removeFirst());
        }
        if (inPartition.isEmpty()) {
            chunks.remove(batch.partition());
        } else {
            inPartition.getFirst().readTo(batch.position());
            buffered += inPartition.getFirst().measured();
        }
    }

    private void decode(PartitionId partition, KafkaRecord record, Chunk chunk) {
        try {
            // Most records are of other tenants, and to compare ids costs less than to check a token
            if (tables instanceof HotTables.One one
                    && one.find(decoder.namedTenant(record)).isEmpty()) {
                return;
            }
            Optional<HotTable> table = tables.find(decoder.tenant(stream, record));
            if (table.isPresent() && record.offset() >= table.get().offsets().offset(partition)) {
                String tenantId = table.get().tenantId();
                decoder.decode(tenantId, record, chunk.buffer(tenantId));
            }
        } catch (UndecodableRecordException e) {
            // The record has no row; the ingest job sends it to the dead-letter topic
        }
    }

    private void end(Chunk chunk) {
        chunk.readTo(chunk.span().to());
        cut(chunk);
        key(chunk).ifPresent(key -> ended.put(key, chunk.parts()));
    }

    /** Builds LogBlocks from the records of a chunk that were read so far. */
    private void cut(Chunk chunk) {
        OffsetSpan read = new OffsetSpan(chunk.span().partition(), chunk.reached(), chunk.position());
        if (read.isEmpty()) {
            return;
        }
        buffered -= chunk.bytes();
        List<HotLogBlock> logBlocks = new ArrayList<>();
        for (Map.Entry<String, RowBuffer> rows : chunk.takeRows().entrySet()) {
            if (!rows.getValue().isEmpty()) {
                HotTable table = tables.find(rows.getKey()).orElseThrow();
                logBlocks.addAll(builder.build(table, read, rows.getValue()));
            }
        }
        chunk.add(new Part(read.to(), logBlocks));
        ready.addAll(logBlocks);
    }

    /** Checks that the record existed when the query read the log end, and did not replace another record since. */
    private void checkLeader(ConsumerRecord<byte[], byte[]> consumed) {
        int planned = log.leaderEpoch(consumed.partition());
        if (planned != LogVersion.NO_EPOCH && consumed.leaderEpoch().orElse(planned) > planned) {
            throw new HotTierException(
                    Kind.GONE,
                    "Kafka lost records of topic '%s' and reused their offsets while the query ran; run the query again"
                            .formatted(stream));
        }
    }

    /** Checks that the rows do not belong to another topic of the same name. */
    private void checkTopic() {
        if (!logs.topicId(stream).equals(Optional.of(log.topicId()))) {
            throw new HotTierException(
                    Kind.GONE,
                    "Topic '%s' was deleted or recreated while the query ran; run the query again".formatted(stream));
        }
    }

    @Override
    public void close() {
        ready.clear();
        chunks.clear();
        cursor.ifPresent(LogCursor::close);
        cursor = Optional.empty();
    }
}
