package io.cordwood.hot;

import io.cordwood.hot.HotChunkCache.Piece;
import io.cordwood.record.RowBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run of offsets of one partition on its way from records to LogBlocks. Not thread-safe. */
final class Chunk {
    /** Chunks end at multiples of so many offsets, whatever a query begins with. */
    private static final long OFFSETS = 8192;

    private final OffsetSpan span;
    private final List<Piece> pieces = new ArrayList<>();
    private final Map<String, RowBuffer> rows = new LinkedHashMap<>();
    private long position;
    private long bytes;

    private Chunk(OffsetSpan span) {
        this.span = span;
        this.position = span.from();
    }

    /** The chunks of a span, in order. */
    static List<Chunk> of(OffsetSpan span) {
        List<Chunk> chunks = new ArrayList<>();
        long from = span.from();
        while (from < span.to()) {
            long to = Math.min(span.to(), (from / OFFSETS + 1) * OFFSETS);
            chunks.add(new Chunk(new OffsetSpan(span.partition(), from, to)));
            from = to;
        }
        return chunks;
    }

    OffsetSpan span() {
        return span;
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
        return pieces.isEmpty() ? span.from() : pieces.getLast().to();
    }

    boolean isDone() {
        return reached() == span.to();
    }

    /** All records below this offset have been read. */
    void readTo(long offset) {
        position = offset;
    }

    /** Below this offset all records have been read. */
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
