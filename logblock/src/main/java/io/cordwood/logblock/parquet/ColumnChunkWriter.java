package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.index.TimeIndex;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** Writes one leaf column of a row group, page by page (a page is a column block). Not thread-safe. */
final class ColumnChunkWriter {
    static final int BOUND_CODE_POINTS = 64;
    /** The size of pages that are read together to be copied. */
    private static final long READ_BYTES = 4 << 20;

    private final FileSink file;
    private final LogBlockOptions options;
    private final PageScratch scratch;

    private final List<PageLocation> locations = new ArrayList<>();
    private final List<Optional<MinMax>> bounds = new ArrayList<>();
    private final List<Long> nullCounts = new ArrayList<>();
    private final List<Integer> entryCounts = new ArrayList<>();
    private final List<Long> valueBytes = new ArrayList<>();
    private long uncompressedSize;
    private long entries;

    /** @param scratch memory that no other writer uses while this one writes */
    ColumnChunkWriter(FileSink file, LogBlockOptions options, PageScratch scratch) {
        this.file = file;
        this.options = options;
        this.scratch = scratch;
    }

    /** Memory for one page, plain and compressed, that the columns of a file share. Not thread-safe. */
    record PageScratch(ByteSink page, ByteSink compressed) {
        private static final int FIRST_BYTES = 1 << 13;

        PageScratch() {
            this(new ByteSink(FIRST_BYTES), new ByteSink(FIRST_BYTES));
        }
    }

    /**
     * The result of writing one leaf.
     *
     * @param pageStarts first row of each page within the row group
     * @param bounds bounds of all values, not truncated
     */
    record Result(
            int fieldId,
            ColumnChunk chunk,
            Optional<ColumnIndex> columnIndex,
            OffsetIndex offsetIndex,
            int[] pageStarts,
            Optional<MinMax> bounds,
            long nullCount) {}

    Result write(Leaf leaf, int rows) throws IOException {
        long start = file.position();
        Optional<byte[]> dictionary = leaf.encoder.dictionary();
        if (dictionary.isPresent()) {
            writeDictionary(dictionary.get(), leaf.encoder.dictionarySize());
        }
        long firstData = file.position();
        writePages(leaf, rows, 0);
        return result(leaf, start, firstData);
    }

    /** Writes a text column, of which some pages are copied. */
    Result write(Column column, List<ColumnPart> parts) throws IOException {
        long start = file.position();
        int row = 0;
        for (ColumnPart part : parts) {
            switch (part) {
                case ColumnPart.InMemory values -> writePages(text(column, values.vector()), part.rows(), row);
                case ColumnPart.Pages pages -> copyPages(pages, row);
            }
            row += part.rows();
        }
        return result(text(column, StringVector.of()), start, start);
    }

    private static Leaf text(Column column, Vector values) {
        return Leaf.of(column, values, Optional.empty()).getFirst();
    }

    /** @param firstRow the number of the first row in the row group */
    private void writePages(Leaf leaf, int rows, int firstRow) throws IOException {
        int from = 0;
        while (from < rows) {
            int to = pageEnd(leaf, from, rows);
            writePage(leaf, from, to, firstRow);
            from = to;
        }
    }

    private Result result(Leaf leaf, long start, long firstData) {
        boolean hasDictionary = firstData > start;
        long nulls = nullCounts.stream().mapToLong(Long::longValue).sum();
        Optional<MinMax> total = total(leaf);
        ColumnMetaData meta = new ColumnMetaData(
                leaf.physicalType(),
                List.copyOf(encodings(leaf)),
                leaf.path,
                CompressionCodec.ZSTD,
                entries,
                uncompressedSize,
                file.position() - start,
                firstData);
        if (hasDictionary) {
            meta.setDictionary_page_offset(start);
        }
        meta.setStatistics(statistics(leaf, total, nulls));
        ColumnChunk chunk = new ColumnChunk(start);
        chunk.setMeta_data(meta);
        int[] pageStarts = locations.stream()
                .mapToInt(location -> (int) location.getFirst_row_index())
                .toArray();
        OffsetIndex offsetIndex = new OffsetIndex(locations);
        if (leaf.physicalType() == Type.BYTE_ARRAY) {
            offsetIndex.setUnencoded_byte_array_data_bytes(valueBytes);
        }
        return new Result(leaf.fieldId, chunk, columnIndex(leaf), offsetIndex, pageStarts, total, nulls);
    }

    /**
     * The maximum rows of a page. Pages of times are small, because finding the end of a time bin reads the times
     * between two entries of the time index.
     */
    private int pageRows(Leaf leaf) {
        return leaf.column.name().equals(LogBlockSchema.TS)
                ? Math.min(options.pageRows(), TimeIndex.INTERVAL)
                : options.pageRows();
    }

    private int pageEnd(Leaf leaf, int from, int rows) {
        int limit = Math.min(rows, from + pageRows(leaf));
        int size = 0;
        for (int row = from; row < limit; row++) {
            size += leaf.sizeOf(row);
            if (size > options.textPageBytes() && row > from) {
                return row;
            }
        }
        return limit;
    }

    private void writeDictionary(byte[] plain, int size) throws IOException {
        ByteSink compressed = scratch.compressed();
        compressed.clear();
        Zstd.compress(plain, 0, plain.length, options.zstdLevel(), compressed);
        PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, plain.length, compressed.size());
        header.setDictionary_page_header(new DictionaryPageHeader(size, Encoding.PLAIN));
        writePage(header, plain.length);
    }

    private void writePage(Leaf leaf, int from, int to, int firstRow) throws IOException {
        ByteSink page = scratch.page();
        page.clear();
        leaf.writeLevels(from, to, page);
        int first = leaf.valueStart(from);
        int last = leaf.valueStart(to);
        leaf.encoder.encode(first, last, page);
        ByteSink compressed = scratch.compressed();
        compressed.clear();
        if (leaf.physicalType() == Type.BYTE_ARRAY && leaf.encoder.encoding() == Encoding.PLAIN) {
            // Maps are decompressed whole
            int block = leaf.column.type() == ColumnType.MAP ? Zstd.MAX_BLOCK : options.textBlockBytes();
            Zstd.compressText(page.bytes(), 0, page.size(), options.zstdLevel(), block, compressed);
        } else {
            Zstd.compress(page.bytes(), 0, page.size(), options.zstdLevel(), compressed);
        }

        int count = leaf.entryCount(from, to);
        PageHeader header = new PageHeader(PageType.DATA_PAGE, page.size(), compressed.size());
        header.setData_page_header(new DataPageHeader(count, leaf.encoder.encoding(), Encoding.RLE, Encoding.RLE));
        long offset = file.position();
        writePage(header, page.size());
        locations.add(new PageLocation(offset, (int) (file.position() - offset), firstRow + from));
        bounds.add(leaf.encoder.minMax(first, last));
        nullCounts.add((long) leaf.nullCount(from, to));
        entryCounts.add(count);
        valueBytes.add(leaf.encoder.valueBytes(first, last));
        entries += count;
    }

    private void copyPages(ColumnPart.Pages copied, int firstRow) throws IOException {
        PageBuffers buffers = new PageBuffers();
        ColumnPages pages = copied.text().pages();
        int from = copied.from();
        while (from < copied.to()) {
            int to = from;
            for (long bytes = 0; to < copied.to() && (to == from || bytes + pages.size(to) <= READ_BYTES); to++) {
                bytes += pages.size(to);
            }
            List<PageBytes> stored = copied.text().read(from, to);
            for (int page = from; page < to; page++) {
                int row = firstRow + pages.firstRow(page) - copied.firstRow();
                copyPage(copied.text(), page, stored.get(page - from), row, buffers);
            }
            from = to;
        }
    }

    private void copyPage(StoredText text, int page, PageBytes stored, int row, PageBuffers buffers)
            throws IOException {
        int nulls = text.check(page, stored, buffers);
        ByteSource in = new ByteSource(stored.array(), stored.from(), stored.from() + stored.length());
        PageHeaders.Header header = PageHeaders.read(in);
        int headerSize = in.position() - stored.from();
        locations.add(new PageLocation(file.position(), stored.length(), row));
        file.write(stored.array(), stored.from(), stored.length());
        uncompressedSize += headerSize + header.uncompressedSize();
        bounds.add(Optional.empty());
        nullCounts.add((long) nulls);
        entryCounts.add(header.values());
        valueBytes.add(text.pages().valueBytes(page));
        entries += header.values();
    }

    private void writePage(PageHeader header, int size) throws IOException {
        ByteSink compressed = scratch.compressed();
        CRC32 crc = new CRC32();
        crc.update(compressed.bytes(), 0, compressed.size());
        header.setCrc((int) crc.getValue());
        long start = file.position();
        Util.writePageHeader(header, file);
        uncompressedSize += file.position() - start + size;
        file.write(compressed.bytes(), 0, compressed.size());
    }

    private static Set<Encoding> encodings(Leaf leaf) {
        Set<Encoding> encodings = EnumSet.of(Encoding.RLE, leaf.encoder.encoding());
        if (leaf.encoder.dictionary().isPresent()) {
            encodings.add(Encoding.PLAIN);
        }
        return encodings;
    }

    /** Bounds of all values, if every page that has a value has bounds. */
    private Optional<MinMax> total(Leaf leaf) {
        Optional<MinMax> total = Optional.empty();
        for (int i = 0; i < bounds.size(); i++) {
            Optional<MinMax> pageBounds = bounds.get(i);
            if (pageBounds.isEmpty()) {
                if (nullCounts.get(i) < entryCounts.get(i)) {
                    return Optional.empty();
                }
                continue;
            }
            MinMax merged = pageBounds.get();
            total = Optional.of(
                    total.map(seen -> seen.merge(merged, leaf.column.type())).orElse(merged));
        }
        return total;
    }

    private static Statistics statistics(Leaf leaf, Optional<MinMax> total, long nulls) {
        Statistics statistics = new Statistics();
        statistics.setNull_count(nulls);
        total.ifPresent(full -> {
            MinMax kept = leaf.column.index() == IndexKind.NONE ? full : full.truncate(BOUND_CODE_POINTS);
            statistics.setMin_value(kept.min());
            statistics.setMax_value(kept.max());
            statistics.setIs_min_value_exact(kept.min().length == full.min().length);
            statistics.setIs_max_value_exact(kept.max() == full.max());
        });
        return statistics;
    }

    private Optional<ColumnIndex> columnIndex(Leaf leaf) {
        List<Boolean> nullPages = new ArrayList<>();
        List<ByteBuffer> mins = new ArrayList<>();
        List<ByteBuffer> maxs = new ArrayList<>();
        for (int i = 0; i < bounds.size(); i++) {
            boolean onlyNulls = nullCounts.get(i).intValue() == entryCounts.get(i);
            if (bounds.get(i).isEmpty() && !onlyNulls) {
                return Optional.empty();
            }
            Optional<MinMax> kept = bounds.get(i)
                    .map(full -> leaf.column.index() == IndexKind.NONE ? full : full.truncate(BOUND_CODE_POINTS));
            nullPages.add(onlyNulls);
            mins.add(ByteBuffer.wrap(kept.map(MinMax::min).orElse(new byte[0])));
            maxs.add(ByteBuffer.wrap(kept.map(MinMax::max).orElse(new byte[0])));
        }
        ColumnIndex index = new ColumnIndex(nullPages, mins, maxs, boundaryOrder(leaf));
        index.setNull_counts(nullCounts);
        return Optional.of(index);
    }

    private BoundaryOrder boundaryOrder(Leaf leaf) {
        List<MinMax> present = bounds.stream().flatMap(Optional::stream).toList();
        for (int i = 1; i < present.size(); i++) {
            if (MinMax.compare(
                                    leaf.column.type(),
                                    present.get(i - 1).min(),
                                    present.get(i).min())
                            > 0
                    || MinMax.compare(
                                    leaf.column.type(),
                                    present.get(i - 1).max(),
                                    present.get(i).max())
                            > 0) {
                return BoundaryOrder.UNORDERED;
            }
        }
        return BoundaryOrder.ASCENDING;
    }
}
