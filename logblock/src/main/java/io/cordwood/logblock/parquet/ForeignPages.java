package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;

/**
 * The pages of a Parquet file that another program wrote, of any version, encoding and size, with an OffsetIndex or
 * without. It trusts only the values themselves, so there are no bounds. Thread-safe.
 *
 * <p>A run of pages takes the place of a page of a LogBlock; it begins and ends with a row. A run is one page or, if
 * pages of a map's keys and values end at different rows, as many pages as it takes until they end at the same row.
 */
final class ForeignPages {
    /** The number of bytes to read at once for page headers in a chunk without an OffsetIndex. */
    private static final int WINDOW = 64 << 10;
    /** The maximum size of a header, which may hold bounds and therefore values. */
    private static final int MAX_HEADER = 64 << 20;

    private final FileEnd fileEnd;
    private final FileMetaData footer;
    private final Collection<LeafInfo> leaves;
    private final Optional<ParsedVersion> writer;
    private final Map<Chunk, Long> firstPages = new ConcurrentHashMap<>();
    private final Map<Chunk, ForeignDictionary> dictionaries = new ConcurrentHashMap<>();

    private record Chunk(int leaf, int rowGroup) {}

    ForeignPages(FileEnd fileEnd, FileMetaData footer, Collection<LeafInfo> leaves) {
        this.fileEnd = fileEnd;
        this.footer = footer;
        this.leaves = leaves;
        this.writer = writer(footer);
    }

    private static Optional<ParsedVersion> writer(FileMetaData footer) {
        try {
            return footer.isSetCreated_by()
                    ? Optional.of(VersionParser.parse(footer.getCreated_by()))
                    : Optional.empty();
        } catch (VersionParser.VersionParseException e) {
            // Any program may write a file under any name
            return Optional.empty();
        }
    }

    /**
     * The runs of pages of a leaf.
     *
     * @throws LogBlockException if the pages are damaged, or of a kind that cannot be read
     */
    ColumnPages load(LeafInfo leaf, ColumnType type) throws IOException {
        List<ColumnPages.Part> parts = new ArrayList<>();
        int firstRow = 0;
        for (int group = 0; group < footer.getRow_groups().size(); group++) {
            int rows = Math.toIntExact(footer.getRow_groups().get(group).getNum_rows());
            if (rows > 0) {
                requireReadable(leaf, type, group);
                parts.add(new ColumnPages.Part(
                        group, firstRow, rows, fileEnd.length(), runs(leaf, group, rows), Optional.empty()));
            }
            firstRow += rows;
        }
        return new ColumnPages(type, parts, firstRow);
    }

    private void requireReadable(LeafInfo leaf, ColumnType type, int group) throws LogBlockException {
        ColumnMetaData meta = chunk(leaf, group).getMeta_data();
        if (!PageCodec.isReadable(meta.getCodec())) {
            throw new LogBlockException(
                    fileEnd.in().location(),
                    "column '%s' is compressed with %s, which cannot be read: rewrite the file with zstd, snappy, gzip, lz4 or brotli"
                            .formatted(leaf.name(), meta.getCodec()));
        }
        if (!ForeignValues.isReadable(leaf.element(), type)) {
            throw new LogBlockException(
                    fileEnd.in().location(),
                    "column '%s' holds %s where %s was expected"
                            .formatted(
                                    leaf.name(),
                                    leaf.element().isSetLogicalType()
                                            ? leaf.element().getLogicalType()
                                            : meta.getType(),
                                    type));
        }
    }

    private ColumnChunk chunk(LeafInfo leaf, int group) {
        return footer.getRow_groups().get(group).getColumns().get(leaf.position());
    }

    private OffsetIndex runs(LeafInfo leaf, int group, int rows) throws IOException {
        Optional<OffsetIndex> index = offsetIndex(leaf, group);
        OffsetIndex runs;
        if (leaf.maxRepetition() > 0) {
            runs = index.isPresent() ? merged(leaf, group, index.get()) : whole(leaf, group);
        } else {
            runs = index.isPresent() ? index.get() : walked(leaf, group, rows);
        }
        firstPages.put(
                new Chunk(leaf.position(), group),
                runs.getPage_locations().getFirst().getOffset());
        return runs;
    }

    private Optional<OffsetIndex> offsetIndex(LeafInfo leaf, int group) throws IOException {
        ColumnChunk chunk = chunk(leaf, group);
        if (!chunk.isSetOffset_index_offset()) {
            return Optional.empty();
        }
        byte[] bytes = read(chunk.getOffset_index_offset(), chunk.getOffset_index_length());
        OffsetIndex index = Util.readOffsetIndex(new ByteArrayInputStream(bytes));
        return index.getPage_locations().isEmpty() ? Optional.empty() : Optional.of(index);
    }

    private byte[] read(long offset, int count) throws IOException {
        if (offset < 0 || count < 0) {
            throw new LogBlockException(fileEnd.in().location(), "%d bytes at %d: damaged".formatted(count, offset));
        }
        return fileEnd.read(List.of(new ByteRange(offset, count)), new ReadMetrics())
                .getFirst();
    }

    /** Merges pages into runs that begin at rows where pages of all leaves of the same map begin. */
    private OffsetIndex merged(LeafInfo leaf, int group, OffsetIndex own) throws IOException {
        TreeSet<Long> starts = new TreeSet<>(starts(own));
        for (LeafInfo other : leaves) {
            if (other.parent() == leaf.parent() && other.position() != leaf.position()) {
                Optional<OffsetIndex> index = offsetIndex(other, group);
                if (index.isEmpty()) {
                    return whole(leaf, group);
                }
                starts.retainAll(starts(index.get()));
            }
        }
        List<PageLocation> runs = new ArrayList<>();
        for (PageLocation page : own.getPage_locations()) {
            if (runs.isEmpty() || starts.contains(page.getFirst_row_index())) {
                runs.add(new PageLocation(page));
            } else {
                PageLocation run = runs.getLast();
                run.setCompressed_page_size(
                        Math.toIntExact(page.getOffset() + page.getCompressed_page_size() - run.getOffset()));
            }
        }
        return new OffsetIndex(runs);
    }

    private static List<Long> starts(OffsetIndex index) {
        return index.getPage_locations().stream()
                .map(PageLocation::getFirst_row_index)
                .toList();
    }

    /** The chunk as one run, with its dictionary: the ends of rows are unknown until it is decoded. */
    private OffsetIndex whole(LeafInfo leaf, int group) {
        ColumnMetaData meta = chunk(leaf, group).getMeta_data();
        return new OffsetIndex(
                List.of(new PageLocation(start(meta), Math.toIntExact(meta.getTotal_compressed_size()), 0)));
    }

    /** The start of a chunk, which is its dictionary; some writers do not record the dictionary's offset. */
    private static long start(ColumnMetaData meta) {
        return meta.isSetDictionary_page_offset() && meta.getDictionary_page_offset() > 0
                ? Math.min(meta.getDictionary_page_offset(), meta.getData_page_offset())
                : meta.getData_page_offset();
    }

    /** Finds the pages of a leaf that is not repeated by walking from header to header. */
    private OffsetIndex walked(LeafInfo leaf, int group, int rows) throws IOException {
        ColumnMetaData meta = chunk(leaf, group).getMeta_data();
        HeaderWalk walk = new HeaderWalk(start(meta), start(meta) + meta.getTotal_compressed_size());
        List<PageLocation> pages = new ArrayList<>();
        long row = 0;
        while (row < rows) {
            long at = walk.at;
            PageHeader header = walk.next();
            long values = header.isSetData_page_header()
                    ? header.getData_page_header().getNum_values()
                    : header.isSetData_page_header_v2()
                            ? header.getData_page_header_v2().getNum_rows()
                            : 0;
            if (values > 0) {
                pages.add(new PageLocation(at, Math.toIntExact(walk.at - at), row));
                row += values;
            }
        }
        return new OffsetIndex(pages);
    }

    /** A walk through a chunk from page to page, which reads little but headers. */
    private final class HeaderWalk {
        private final long end;
        private long at;
        private byte[] window = {};
        private long windowStart;

        HeaderWalk(long start, long end) {
            this.at = start;
            this.end = end;
        }

        /** Reads the header of the next page and skips the page. */
        PageHeader next() throws IOException {
            for (int size = WINDOW; ; size *= 4) {
                if (at >= end) {
                    throw new MalformedPageException("its pages hold fewer rows than its row group");
                }
                if (at >= windowStart + window.length || size > WINDOW) {
                    windowStart = at;
                    window = read(at, (int) Math.min(size, end - at));
                }
                int from = (int) (at - windowStart);
                ByteArrayInputStream in = new ByteArrayInputStream(window, from, window.length - from);
                int before = in.available();
                try {
                    PageHeader header = Util.readPageHeader(in);
                    if (header.getCompressed_page_size() < 0) {
                        throw new MalformedPageException(
                                "a page of %d bytes".formatted(header.getCompressed_page_size()));
                    }
                    at += before - in.available() + (long) header.getCompressed_page_size();
                    return header;
                } catch (IOException e) {
                    // The window may end within the header
                    if (windowStart + window.length == end && from == 0 || size > MAX_HEADER) {
                        throw e;
                    }
                }
            }
        }
    }

    /** The location of a chunk's dictionary, if it has one that was not passed in yet. */
    Optional<ByteRange> missingDictionary(LeafInfo leaf, int rowGroup) {
        Chunk chunk = new Chunk(leaf.position(), rowGroup);
        long start = start(chunk(leaf, rowGroup).getMeta_data());
        long end = firstPages.get(chunk);
        return end <= start || dictionaries.containsKey(chunk)
                ? Optional.empty()
                : Optional.of(new ByteRange(start, Math.toIntExact(end - start)));
    }

    /** Accepts a fetched dictionary of a chunk. */
    void give(LeafInfo leaf, int rowGroup, PageBytes bytes) {
        if (dictionary(leaf, rowGroup, pages(leaf, rowGroup, bytes)).isEmpty()) {
            throw new MalformedPageException("no dictionary before the first page");
        }
    }

    /** The dictionary of the pages' chunk, which may be among the pages. */
    private Optional<ForeignDictionary> dictionary(LeafInfo leaf, int rowGroup, StoredPages pages) {
        Chunk chunk = new Chunk(leaf.position(), rowGroup);
        return pages.dictionary()
                .map(page -> dictionaries.computeIfAbsent(chunk, _chunk -> ForeignDictionary.of(leaf, page)));
    }

    private StoredPages pages(LeafInfo leaf, int rowGroup, PageBytes bytes) {
        return StoredPages.of(
                bytes.array(),
                bytes.from(),
                bytes.length(),
                chunk(leaf, rowGroup).getMeta_data().getCodec(),
                Optional.ofNullable(dictionaries.get(new Chunk(leaf.position(), rowGroup)))
                        .map(ForeignDictionary::page));
    }

    /** Decodes the values of a run of pages, one for each row. */
    Vector decode(LeafInfo leaf, ColumnType type, int rowGroup, PageBytes bytes, int rows) {
        StoredPages pages = pages(leaf, rowGroup, bytes);
        return new ForeignValues(leaf, type, writer).decode(pages, dictionary(leaf, rowGroup, pages), rows);
    }

    /** Decodes the entries of a run of pages of a repeated leaf. */
    PageDecoder.Entries decodeEntries(LeafInfo leaf, int rowGroup, PageBytes bytes) {
        StoredPages pages = pages(leaf, rowGroup, bytes);
        return new ForeignValues(leaf, ColumnType.VARCHAR, writer)
                .decodeEntries(pages, dictionary(leaf, rowGroup, pages));
    }

    /** The memory of the dictionaries in bytes. */
    long retainedBytes() {
        return dictionaries.values().stream()
                .mapToLong(ForeignDictionary::retainedBytes)
                .sum();
    }
}
