package io.cordwood.hot;

import io.cordwood.hot.HotChunkCache.Part;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.record.buffer.RowBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A range of offsets of one partition, on its way from records to LogBlocks. Not thread-safe. */
final class Chunk {
    private final HotSpan hot;
    private final List<Part> parts = new ArrayList<>();
    private final Map<String, RowBuffer> rows = new LinkedHashMap<>();
    private long position;
    private long bytes;

    private Chunk(HotSpan hot) {
        this.hot = hot;
        this.position = hot.span().from();
    }

    /** The chunks of a span, in order. They end at the same offsets wherever a query begins. */
    static List<Chunk> of(HotSpan hot) {
        if (!hot.isWhole()) {
            return List.of(new Chunk(hot));
        }
        return ChunkStatistics.cut(hot.span()).stream()
                .map(part -> new Chunk(new HotSpan(part, List.of(part), hot.time())))
                .toList();
    }

    OffsetSpan span() {
        return hot.span();
    }

    /** The spans that are still unread. */
    List<OffsetSpan> unread() {
        OffsetSpan left = new OffsetSpan(span().partition(), reached(), span().to());
        return hot.reads().stream()
                .flatMap(read -> read.intersection(left).stream())
                .toList();
    }

    /** The finished parts, from the beginning of the chunk. */
    List<Part> parts() {
        return parts;
    }

    void add(Part part) {
        parts.add(part);
    }

    /** The offset where the finished parts end. */
    long reached() {
        return parts.isEmpty() ? span().from() : parts.getLast().to();
    }

    boolean isDone() {
        return reached() == span().to();
    }

    /** Notes that all requested records below this offset have been read. */
    void readTo(long offset) {
        position = Math.min(offset, span().to());
    }

    /** The offset below which all requested records have been read. */
    long position() {
        return Math.max(position, reached());
    }

    /** The buffer that takes the decoded rows of this tenant. */
    RowBuffer buffer(String tenantId) {
        return rows.computeIfAbsent(tenantId, any -> new RowBuffer());
    }

    /** Measures the rows again and returns their growth in bytes. */
    long measured() {
        long before = bytes;
        bytes = rows.values().stream().mapToLong(RowBuffer::sizeInBytes).sum();
        return bytes - before;
    }

    /** Memory of the rows at the last measurement. */
    long bytes() {
        return bytes;
    }

    /** Removes and returns the buffered rows, by tenant. */
    Map<String, RowBuffer> takeRows() {
        Map<String, RowBuffer> taken = new LinkedHashMap<>(rows);
        rows.clear();
        bytes = 0;
        return taken;
    }
}
