package io.cordwood.logblock.parquet;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.StringVector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A text column of an open file, stored without a dictionary, so that another file may have its pages as they are.
 * Thread-safe.
 */
public final class StoredText {
    private final ParquetFile file;
    private final Column column;
    private final ColumnPages pages;
    private final ReadMetrics metrics;

    StoredText(ParquetFile file, Column column, ReadMetrics metrics) throws IOException {
        this.file = file;
        this.column = column;
        this.pages = file.pages(column);
        this.metrics = metrics;
    }

    public ColumnPages pages() {
        return pages;
    }

    /** The stored bytes of the pages {@code [from, to)}, with their headers. */
    List<PageBytes> read(int from, int to) throws IOException {
        int[] requested = IntStream.range(from, to).toArray();
        Map<ParquetFile.LeafPage, PageBytes> read =
                file.fetch(List.of(new ParquetFile.PageRequest(column, requested)), metrics);
        List<PageBytes> ordered = new ArrayList<>();
        for (int page : requested) {
            ordered.add(read.get(new ParquetFile.LeafPage(column.fieldId(), page)));
        }
        return ordered;
    }

    /**
     * Decodes a page, because a damaged one must not get into another file, and returns its number of nulls.
     *
     * @throws LogBlockException if it is damaged
     */
    int check(int page, PageBytes stored, PageBuffers buffers) throws IOException {
        StringVector values = (StringVector) file.decode(
                column,
                page,
                pages.rows(page),
                Map.of(new ParquetFile.LeafPage(column.fieldId(), page), stored),
                buffers);
        buffers.give(values.bytes());
        return values.nulls().count();
    }
}
