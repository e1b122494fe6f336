package io.cordwood.hot;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.HotChunkCache.Piece;
import io.cordwood.hot.HotTierException.Kind;
import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.DecodingPolicy;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.RecordDecoder;
import io.cordwood.record.RowBuffer;
import io.cordwood.record.UndecodableRecordException;
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
 * Rows of spans of the tail, chunk by chunk as LogBlocks in memory. So much memory is taken as the rows of a few chunks
 * need, however long the tail. Not thread-safe; calls block.
 */
public final class HotScan implements Closeable {
    /** Memory that rows of chunks which are not complete may take. */
    private static final long MAX_BUFFERED_BYTES = 32 << 20;
    /** When nothing came so many times, perhaps the topic is gone. */
    private static final int LOOK_AFTER_POLLS = 10;
    /** A chunk in more pieces is read anew from its beginning. */
    private static final int MAX_PIECES = 8;

    private final KafkaLogs tail;
    private final Optional<HotChunkCache> cache;
    private final String stream;
    private final LogVersion log;
    private final HotTables tables;
    private final ReadLimits limits;
    private final HotReadMetrics metrics;
    private final RecordDecoder decoder;
    private final HotLogBlockBuilder builder;
    /** Chunks that are not complete, by partition, in order. */
    private final Map<Integer, Deque<Chunk>> chunks = new HashMap<>();

    /** Chunks that are complete, until it is certain that they are of the topic. */
    private final Map<HotChunkCache.Key, List<Piece>> ended = new HashMap<>();

    private final List<HotLogBlock> ready = new ArrayList<>();
    private Optional<LogCursor> cursor = Optional.empty();
    private long buffered;
    private int emptyPolls;

    HotScan(
            KafkaLogs tail,
            Optional<HotChunkCache> cache,
            DecodingPolicy policy,
            String stream,
            LogVersion log,
            List<HotSpan> spans,
            HotTables tables,
            ReadLimits limits,
            HotReadMetrics metrics) {
        this.tail = tail;
        this.cache = cache;
        this.stream = stream;
        this.log = log;
        this.tables = tables;
        this.limits = limits;
        this.metrics = metrics;
        this.decoder = new RecordDecoder(policy);
        this.builder = new HotLogBlockBuilder(policy, stream, log.topicId());
        for (HotSpan span : spans) {
            Chunk.of(span).forEach(this::start);
        }
        if (!chunks.isEmpty()) {
            cursor = Optional.of(new LogCursor(tail, stream, unread(), limits.patience()));
        }
    }

    /** Takes what is known of a chunk, and notes it if that is not all. */
    private void start(Chunk chunk) {
        for (Piece piece : known(chunk)) {
            chunk.add(piece);
            ready.addAll(piece.logBlocks());
        }
        if (!chunk.pieces().isEmpty()) {
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

    private List<Piece> known(Chunk chunk) {
        Optional<HotChunkCache.Key> key = key(chunk);
        if (key.isEmpty()) {
            return List.of();
        }
        List<Piece> pieces = cache.orElseThrow().get(key.get()).stream()
                .filter(piece -> piece.to() <= chunk.span().to())
                .toList();
        boolean isWhole =
                !pieces.isEmpty() && pieces.getLast().to() == chunk.span().to();
        return isWhole || pieces.size() < MAX_PIECES ? pieces : List.of();
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

    /** What is to be read, neighbours taken together. */
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
     * The next LogBlocks; none if Kafka has not given enough yet.
     *
     * @throws HotTierException if the tail cannot be read, or holds more than the limits allow
     */
    public List<HotLogBlock> next() {
        if (ready.isEmpty() && cursor.isPresent()) {
            List<LogCursor.Batch> batches = cursor.get().poll();
            batches.forEach(this::take);
            emptyPolls = batches.isEmpty() ? emptyPolls + 1 : 0;
            if (buffered > MAX_BUFFERED_BYTES) {
                chunks.values().forEach(inPartition -> cut(inPartition.getFirst()));
            }
            if (!ready.isEmpty() || chunks.isEmpty() || emptyPolls == LOOK_AFTER_POLLS) {
                checkTopic();
                ended.forEach((key, pieces) -> cache.orElseThrow().put(key, pieces));
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
            Optional<HotTable> table = tables.find(decoder.tenant(record));
            if (table.isPresent() && record.offset() >= table.get().offsets().offset(partition)) {
                decoder.decode(record, chunk.buffer(table.get().tenantId()));
            }
        } catch (UndecodableRecordException e) {
            // It has no row: the ingest job sends it to the dead-letter topic
        }
    }

    private void end(Chunk chunk) {
        chunk.readTo(chunk.span().to());
        cut(chunk);
        key(chunk).ifPresent(key -> ended.put(key, chunk.pieces()));
    }

    /** Makes LogBlocks of what was read of a chunk. */
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
        chunk.add(new Piece(read.to(), logBlocks));
        ready.addAll(logBlocks);
    }

    /** The record was there when the end of the log was found, and did not take the place of one that was. */
    private void checkLeader(ConsumerRecord<byte[], byte[]> consumed) {
        int planned = log.leaderEpoch(consumed.partition());
        if (planned != LogVersion.NO_EPOCH && consumed.leaderEpoch().orElse(planned) > planned) {
            throw new HotTierException(
                    Kind.GONE,
                    "Kafka took records of topic '%s' back while the query ran, and gave their offsets to others; run it again"
                            .formatted(stream));
        }
    }

    /** The rows are not of another topic of the same name. */
    private void checkTopic() {
        if (!tail.topicId(stream).equals(Optional.of(log.topicId()))) {
            throw new HotTierException(
                    Kind.GONE,
                    "Topic '%s' was deleted or made anew while the query ran; run it again".formatted(stream));
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
