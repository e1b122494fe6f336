package io.cordwood.query.search;

import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The rows that answer a {@link RowQuestion}, in its order. Values are read chunk by chunk, so that large rows do not
 * fill the memory; while the caller uses a chunk, another thread reads the next one, if there is one free. Not
 * thread-safe.
 */
public final class RowAnswer implements AutoCloseable {
    /** Small, so that the first rows come soon. */
    private static final int FIRST_CHUNK = 128;

    private static final int GROWTH = 8;
    private static final int MAX_CHUNK = 8192;
    private static final long MAX_CHUNK_BYTES = 8 << 20;

    /** Of values other than text, approximately. */
    private static final int ROW_BYTES = 100;

    private final TableScan scan;
    private final List<RowSource> sources;
    private final List<FoundRow> rows;
    private final List<QueryColumn> columns;
    private final Optional<PageStart> next;
    private Optional<CompletableFuture<RowChunk>> ahead = Optional.empty();
    private int read;
    private int chunk = FIRST_CHUNK;

    /**
     * @param sources the LogBlocks to close
     * @param rows rows of these, in order
     * @param next where the next page begins
     */
    RowAnswer(
            TableScan scan,
            List<RowSource> sources,
            List<FoundRow> rows,
            List<QueryColumn> columns,
            Optional<PageStart> next) {
        this.scan = scan;
        this.sources = sources;
        this.rows = rows;
        this.columns = columns;
        this.next = next;
    }

    /** The number of rows. */
    public int size() {
        return rows.size();
    }

    /** Where the next page begins; empty if there is certainly none. */
    public Optional<PageStart> next() {
        return next;
    }

    /** Reads the next rows; empty at the end. */
    public Optional<RowChunk> nextChunk() {
        Optional<RowChunk> next = ahead.map(RowAnswer::join);
        if (next.isEmpty() && read < rows.size()) {
            next = Optional.of(readChunk());
        }
        ahead = read < rows.size() ? scan.inOtherThread(this::readChunk) : Optional.empty();
        return next;
    }

    private static RowChunk join(CompletableFuture<RowChunk> chunk) {
        try {
            return chunk.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private RowChunk readChunk() {
        int end = read;
        long bytes = 0;
        while (end < rows.size() && end - read < chunk && (bytes < MAX_CHUNK_BYTES || end == read)) {
            FoundRow row = rows.get(end++);
            bytes += ROW_BYTES + row.source().estimatedBytes(columns, row.row());
        }
        scan.budget().check(0);
        RowChunk values = RowValues.read(rows.subList(read, end), columns);
        read = end;
        chunk = Math.min(MAX_CHUNK, chunk * GROWTH);
        return values;
    }

    /** Closes the LogBlocks. */
    @Override
    public void close() {
        // Its failure is of no interest, since its rows are not
        ahead.ifPresent(chunk -> chunk.handle((rows, failure) -> rows).join());
        sources.forEach(source -> scan.finish(source.reader()));
    }
}
