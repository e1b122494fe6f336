package io.cordwood.hot.statistics;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.TimeRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The statistics of a topic's hot chunks, for pruning. Not thread-safe. */
public final class KnownChunks {
    private record Key(int partition, long number) {}

    private final Map<Key, ChunkStatistics> chunks = new HashMap<>();

    /** Adds the statistics of a chunk, and replaces earlier ones. */
    public void add(ChunkStatistics chunk) {
        chunks.put(new Key(chunk.span().partition(), chunk.number()), chunk);
    }

    /**
     * The spans without the chunks that certainly have no matching row. Only offsets that statistics cover are pruned;
     * all others stay.
     */
    public List<HotSpan> prune(List<OffsetSpan> spans, ScanBounds bounds, PruningMetrics metrics) {
        List<HotSpan> left = new ArrayList<>();
        for (OffsetSpan span : spans) {
            for (OffsetSpan part : ChunkStatistics.cut(span)) {
                metrics.chunks.increment();
                prune(part, bounds, metrics, left);
            }
        }
        return left;
    }

    private void prune(OffsetSpan part, ScanBounds bounds, PruningMetrics metrics, List<HotSpan> left) {
        ChunkStatistics chunk = chunks.get(new Key(part.partition(), ChunkStatistics.number(part.from())));
        Optional<OffsetSpan> covered = Optional.ofNullable(chunk).flatMap(known -> part.intersection(known.span()));
        if (covered.isEmpty()) {
            metrics.unknown.increment();
            left.add(HotSpan.unknown(part));
            return;
        }
        if (part.from() < covered.get().from()) {
            left.add(HotSpan.unknown(
                    new OffsetSpan(part.partition(), part.from(), covered.get().from())));
        }
        Optional<HotSpan> read = read(chunk, covered.get(), bounds);
        if (read.isPresent()) {
            left.add(read.get());
        } else {
            metrics.pruned.increment();
        }
        if (covered.get().to() < part.to()) {
            left.add(HotSpan.unknown(
                    new OffsetSpan(part.partition(), covered.get().to(), part.to())));
        }
    }

    private static Optional<HotSpan> read(ChunkStatistics chunk, OffsetSpan covered, ScanBounds bounds) {
        Optional<TimeRange> time = bounds.times(chunk.tenants());
        if (time.isEmpty()) {
            return Optional.empty();
        }
        int[] offsets = bounds.tenantId()
                .map(tenantId -> chunk.tenants().get(tenantId).offsets())
                .orElse(new int[0]);
        if (offsets.length == 0) {
            return Optional.of(new HotSpan(covered, List.of(covered), time.get()));
        }
        List<OffsetSpan> reads = new ArrayList<>();
        for (int place : offsets) {
            long offset = chunk.span().from() + place;
            if (covered.from() <= offset && offset < covered.to()) {
                reads.add(new OffsetSpan(covered.partition(), offset, offset + 1));
            }
        }
        return reads.isEmpty() ? Optional.empty() : Optional.of(new HotSpan(covered, reads, time.get()));
    }
}
