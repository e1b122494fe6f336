package io.cordwood.hot;

import io.cordwood.hot.HotChunkCache.Piece;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.record.RowBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run of offsets of one partition on its way from records to LogBlocks. Not thread-safe. */
final class Chunk {
    private final HotSpan hot;
    private final List<Piece> pieces = new ArrayList<>();
    private final Map<String, RowBuffer> rows = new LinkedHashMap<>();
    private long position;
    private long bytes;

    private Chunk(HotSpan hot) {
        this.hot = hot;
        this.position = hot.span().from();
    }

    /** The chunks of a span, in order: whatever a query begins with, they end at the same offsets. */
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

    /** What is still to be read. */
    List<OffsetSpan> unread() {
        OffsetSpan left = new OffsetSpan(span().partition(), reached(), span().to());
        return hot.reads().stream()
                .flatMap(read -> read.intersection(left).stream())
                .toList();
    }

    /** Pieces that are done, from the beginning on. */
    List<Piece> pieces() {
        return pieces;
    }

    void add(Piece piece) {
        pieces.add(piece);
    }

    /** Where the pieces that are done end. */
    long reached() {
        return pieces.isEmpty() ? span().from() : pieces.getLast().to();
    }

    boolean isDone() {
        return reached() == span().to();
    }

    /** All records below this offset that are wanted have been read. */
    void readTo(long offset) {
        position = Math.min(offset, span().to());
    }

    /** Below this offset all records that are wanted have been read. */
    long position() {
        return Math.max(position, reached());
    }

    /** Where rows of this tenant are decoded to. */
    RowBuffer buffer(String tenantId) {
        return rows.computeIfAbsent(tenantId, any -> new RowBuffer());
    }

    /** Measures the rows again and returns by how many bytes they grew. */
    long measured() {
        long before = bytes;
        bytes = rows.values().stream().mapToLong(RowBuffer::sizeInBytes).sum();
        return bytes - before;
    }

    /** Memory that the rows took when they were last measured. */
    long bytes() {
        return bytes;
    }

    /** The rows that wait, by tenant; there are none afterwards. */
    Map<String, RowBuffer> takeRows() {
        Map<String, RowBuffer> taken = new LinkedHashMap<>(rows);
        rows.clear();
        bytes = 0;
        return taken;
    }
}
