package io.cordwood.logblock.parquet;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.Gather;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

/**
 * The Parquet part of an open LogBlock: footer, page indexes and pages. It may also be a Parquet file that another
 * program wrote, with pages of any size. Thread-safe.
 */
public final class ParquetFile {
    private static final String WRITER = "cordwood ";
    /** The page number that denotes the dictionary. */
    private static final int DICTIONARY = -1;
    /**
     * The maximum size of a merged range. Pages of a range share an array, which stays in memory as long as one of them
     * does.
     */
    private static final int MAX_RANGE = 1 << 18;
    /**
     * The maximum depth of a schema, because walking it is recursive; a table's deepest column is a map, with a group
     * in it.
     */
    private static final int MAX_DEPTH = 64;

    private final RangeReader in;
    private final FileEnd fileEnd;
    private final FileMetaData footer;
    private final Map<String, String> keyValues;
    private final DecodedCache.OfFile decoded;
    private final Map<Integer, LeafInfo> leaves = new HashMap<>();
    /** The reader of pages that another program wrote. */
    private final Optional<ForeignPages> foreign;

    private final Map<Integer, ColumnPages> pages = new ConcurrentHashMap<>();
    private final Map<Long, Vector> dictionaries = new ConcurrentHashMap<>();
    private final int rowCount;
    private int leafCount;

    private ParquetFile(LogBlockFooter opened, DecodedCache.OfFile decoded, ColumnNames names) throws IOException {
        this.in = opened.fileEnd().in();
        this.decoded = decoded;
        this.fileEnd = opened.fileEnd();
        this.footer = opened.footer();
        this.keyValues = LogBlockFooter.keyValues(footer);
        if (footer.getNum_rows() > Integer.MAX_VALUE) {
            throw new LogBlockException(
                    in.location(), "%d rows are too many for one file".formatted(footer.getNum_rows()));
        }
        this.rowCount = (int) footer.getNum_rows();
        NamedFields.assign(footer.getSchema(), names);
        findLeaves();
        if (leaves.isEmpty() && leafCount > 0) {
            throw new LogBlockException(
                    in.location(),
                    "columns have no field ids%s: rewrite it with a program that writes the table's field ids, or name its columns in the table property schema.name-mapping.default"
                            .formatted(
                                    names.fieldIds().isEmpty()
                                            ? ""
                                            : ", and the table's name mapping lacks their names"));
        }
        this.foreign =
                isWrittenHere() ? Optional.empty() : Optional.of(new ForeignPages(fileEnd, footer, leaves.values()));
    }

    /** Opens a file without caching its pages. */
    public static ParquetFile open(RangeReader in, ReadMetrics metrics) throws IOException {
        return open(in, metrics, DecodedCache.NONE.open(), ColumnNames.NONE);
    }

    /**
     * Opens a file with one or two reads of its end.
     *
     * @param decoded cache for its decoded pages
     * @param names names of its columns, if it has no field ids
     */
    public static ParquetFile open(RangeReader in, ReadMetrics metrics, DecodedCache.OfFile decoded, ColumnNames names)
            throws IOException {
        LogBlockFooter opened = LogBlockFooter.read(in, metrics);
        try {
            return new ParquetFile(opened, decoded, names);
        } catch (RuntimeException e) {
            throw new LogBlockException(in.location(), "footer is inconsistent: damaged", e);
        }
    }

    /** Walks the schema depth first; a leaf's levels come from its ancestors' repetition types. */
    private void findLeaves() throws LogBlockException {
        walk(1, footer.getSchema().getFirst().getNum_children(), 0, 0, 1);
    }

    private int walk(int from, int children, int definition, int repetition, int depth) throws LogBlockException {
        if (depth > MAX_DEPTH) {
            throw new LogBlockException(
                    in.location(),
                    "schema has nested groups, more than %d deep: rewrite it with the columns of the table"
                            .formatted(MAX_DEPTH));
        }
        int parent = from - 1;
        int at = from;
        for (int child = 0; child < children; child++) {
            SchemaElement element = footer.getSchema().get(at);
            boolean repeated = element.getRepetition_type() == FieldRepetitionType.REPEATED;
            int elementDefinition = definition + (element.getRepetition_type() == FieldRepetitionType.REQUIRED ? 0 : 1);
            int elementRepetition = repetition + (repeated ? 1 : 0);
            at++;
            if (element.getNum_children() > 0) {
                at = walk(at, element.getNum_children(), elementDefinition, elementRepetition, depth + 1);
            } else {
                int position = leafCount++;
                if (element.isSetField_id()) {
                    leaves.put(
                            element.getField_id(),
                            new LeafInfo(position, elementDefinition, elementRepetition, parent, element));
                }
            }
        }
        return at;
    }

    public String location() {
        return in.location();
    }

    /** Whether a LogBlock writer wrote this file. A file that another program rewrote may carry the old footer keys. */
    public boolean isWrittenHere() {
        return footer.isSetCreated_by() && footer.getCreated_by().startsWith(WRITER);
    }

    public int rowCount() {
        return rowCount;
    }

    /** The decompressed size of all pages in bytes. */
    public long decodedBytes() {
        return footer.getRow_groups().stream()
                .mapToLong(RowGroup::getTotal_byte_size)
                .sum();
    }

    /** The stored bytes of each leaf column, by its dotted path. */
    public Map<String, Long> storedBytes() {
        Map<String, Long> bytes = new HashMap<>();
        for (RowGroup rowGroup : footer.getRow_groups()) {
            for (ColumnChunk column : rowGroup.getColumns()) {
                ColumnMetaData data = column.getMeta_data();
                bytes.merge(String.join(".", data.getPath_in_schema()), data.getTotal_compressed_size(), Long::sum);
            }
        }
        return bytes;
    }

    public Map<String, String> keyValues() {
        return keyValues;
    }

    /** The bytes {@code [offset, offset + count)}, if they were read when the file was opened. */
    public Optional<byte[]> fromFileEnd(long offset, int count) {
        return fileEnd.find(offset, count);
    }

    public boolean contains(Column column) {
        return leaves.containsKey(leafId(column));
    }

    /**
     * The column as pages to copy; empty if it is no optional text, or has a dictionary, or another program wrote the
     * file.
     */
    public Optional<StoredText> storedText(Column column, ReadMetrics metrics) throws IOException {
        if (column.type() != ColumnType.VARCHAR || !isWrittenHere() || !contains(column)) {
            return Optional.empty();
        }
        LeafInfo leaf = leaves.get(column.fieldId());
        if (leaf.maxDefinition() != 1 || leaf.maxRepetition() != 0) {
            return Optional.empty();
        }
        int position = leaf.position();
        boolean hasDictionary = footer.getRow_groups().stream()
                .anyMatch(
                        group -> group.getColumns().get(position).getMeta_data().isSetDictionary_page_offset());
        return hasDictionary ? Optional.empty() : Optional.of(new StoredText(this, column, metrics));
    }

    /** The field id of a top-level column, by its name in the file. */
    public int fieldId(String name) throws LogBlockException {
        for (Map.Entry<Integer, LeafInfo> leaf : leaves.entrySet()) {
            if (leaf.getValue().maxRepetition() == 0 && leaf.getValue().name().equals(name)) {
                return leaf.getKey();
            }
        }
        throw new LogBlockException(in.location(), "has no column '%s'".formatted(name));
    }

    private static int leafId(Column column) {
        return column.type() == ColumnType.MAP ? column.keyFieldId() : column.fieldId();
    }

    /** The pages of a column that the file contains; for a map those of the keys. */
    public ColumnPages pages(Column column) throws IOException {
        ColumnType type = column.type() == ColumnType.MAP ? ColumnType.VARCHAR : column.type();
        return pages(leafId(column), type);
    }

    private ColumnPages pages(int leafId, ColumnType type) throws IOException {
        ColumnPages known = pages.get(leafId);
        if (known == null) {
            known = loadPages(leafId, type);
            pages.put(leafId, known);
        }
        return known;
    }

    private ColumnPages loadPages(int leafId, ColumnType type) throws IOException {
        LeafInfo leaf = leaves.get(leafId);
        if (leaf == null) {
            // A damaged schema may lack the values of a map
            throw new LogBlockException(in.location(), "no column has the field id %d".formatted(leafId));
        }
        if (foreign.isPresent()) {
            try {
                return foreign.get().load(leaf, type);
            } catch (LogBlockException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                throw new LogBlockException(
                        in.location(), "pages of '%s' are damaged: %s".formatted(leaf.name(), e.getMessage()), e);
            }
        }
        List<ColumnPages.Part> parts = new ArrayList<>();
        int firstRow = 0;
        for (int group = 0; group < footer.getRow_groups().size(); group++) {
            RowGroup rowGroup = footer.getRow_groups().get(group);
            ColumnChunk chunk = rowGroup.getColumns().get(leaf.position());
            requireReadable(chunk, leaf, type);
            try {
                OffsetIndex offsetIndex = Util.readOffsetIndex(
                        section(chunk.getOffset_index_offset(), chunk.getOffset_index_length(), leaf));
                Optional<ColumnIndex> columnIndex = chunk.isSetColumn_index_offset()
                        ? Optional.of(Util.readColumnIndex(
                                section(chunk.getColumn_index_offset(), chunk.getColumn_index_length(), leaf)))
                        : Optional.empty();
                int rows = Math.toIntExact(rowGroup.getNum_rows());
                parts.add(new ColumnPages.Part(group, firstRow, rows, fileEnd.length(), offsetIndex, columnIndex));
            } catch (LogBlockException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                throw new LogBlockException(in.location(), "page index of '%s' is damaged".formatted(leaf.name()), e);
            }
            firstRow += Math.toIntExact(rowGroup.getNum_rows());
        }
        try {
            return new ColumnPages(type, parts, rowCount);
        } catch (RuntimeException e) {
            throw new LogBlockException(
                    in.location(), "page index of '%s' is damaged: %s".formatted(leaf.name(), e.getMessage()), e);
        }
    }

    private void requireReadable(ColumnChunk chunk, LeafInfo leaf, ColumnType type) throws IOException {
        ColumnMetaData meta = chunk.getMeta_data();
        if (meta.getCodec() != CompressionCodec.ZSTD || !chunk.isSetOffset_index_offset()) {
            throw new LogBlockException(
                    in.location(),
                    "column '%s' has codec %s%s; a LogBlock has zstd and page indexes: damaged"
                            .formatted(
                                    leaf.name(),
                                    meta.getCodec(),
                                    chunk.isSetOffset_index_offset() ? "" : " and no page index"));
        }
        if (meta.getType() != ParquetSchema.physicalType(type)) {
            throw new LogBlockException(
                    in.location(),
                    "column '%s' holds %s where %s was expected".formatted(leaf.name(), meta.getType(), type));
        }
    }

    private ByteArrayInputStream section(long offset, int count, LeafInfo leaf) throws IOException {
        return new ByteArrayInputStream(fromFileEnd(offset, count)
                .orElseThrow(() -> new LogBlockException(
                        in.location(), "page index of '%s' lies outside the file's end".formatted(leaf.name()))));
    }

    /** Receives a page's values. */
    @FunctionalInterface
    public interface PageConsumer {
        void accept(int page, Vector values) throws IOException;
    }

    /** A request for pages of one column, ascending. */
    public record PageRequest(Column column, int[] pages) {}

    /** A page of a leaf column. A map has two leaves, any other column one. */
    public record LeafPage(int leafId, int page) {}

    /**
     * Fetches pages of a column together and passes them to the consumer decoded, one after the other. The consumer
     * must not modify their values.
     *
     * @param requested page numbers, ascending
     */
    public void read(Column column, int[] requested, ReadMetrics metrics, PageConsumer consumer) throws IOException {
        Map<Integer, Vector> cached = new HashMap<>();
        ColumnPages columnPages = pages(column);
        for (int page : requested) {
            int rows = columnPages.rows(page);
            cached(column, page, rows, metrics)
                    .filter(values -> values.length() == rows)
                    .ifPresent(values -> cached.put(page, values));
        }
        int[] missing = Arrays.stream(requested)
                .filter(page -> !cached.containsKey(page))
                .toArray();
        Map<LeafPage, PageBytes> bytes = fetch(List.of(new PageRequest(column, missing)), metrics);
        PageBuffers buffers = new PageBuffers();
        for (int page : requested) {
            Vector values = cached.get(page);
            if (values == null) {
                values = decode(column, page, columnPages.rows(page), bytes, buffers);
                cache(column, page, values);
            }
            consumer.accept(page, values);
        }
    }

    /**
     * The cached values of a page, or of its first rows; the caller must not modify them.
     *
     * @param wanted how many of its first rows are needed; there may be fewer, which are not counted as read
     */
    public Optional<Vector> cached(Column column, int page, int wanted, ReadMetrics metrics) throws IOException {
        Optional<Vector> found = decoded.find(leafId(column), page, wanted);
        if (found.isPresent() && found.get().length() >= wanted) {
            metrics.columnBlocksCached.increment();
            for (int leafId : leafIds(column)) {
                metrics.bytesRead.add(pages(leafId, leafType(column)).size(page));
            }
        }
        return found;
    }

    /**
     * Offers the decoded values of a page to the cache.
     *
     * @return whether the cache keeps this vector: then it must no longer be modified
     */
    public boolean cache(Column column, int page, Vector values) {
        return decoded.offer(leafId(column), page, values);
    }

    /** Drops the cached pages, and caches no more. */
    public void forgetDecoded() {
        decoded.close();
    }

    /** Fetches pages of any columns in one request, together with missing dictionaries. */
    public Map<LeafPage, PageBytes> fetch(List<PageRequest> requests, ReadMetrics metrics) throws IOException {
        SortedMap<Long, FetchedPart> parts = new TreeMap<>();
        for (PageRequest request : requests) {
            metrics.columnBlocksRead.add(request.pages().length);
            for (int leafId : leafIds(request.column())) {
                addParts(leafId, pages(leafId, leafType(request.column())), request.pages(), parts);
            }
        }
        if (parts.isEmpty()) {
            return Map.of();
        }
        List<ByteRange> ranges = new ArrayList<>();
        parts.forEach((offset, part) -> addRange(offset, part.size(), ranges));
        // Bytes in memory count too: they are most of a small file.
        ranges.forEach(range -> metrics.bytesRead.add(range.length()));
        List<byte[]> read = fileEnd.read(ranges, metrics);
        Map<LeafPage, PageBytes> pageBytes = new HashMap<>();
        int at = 0;
        for (Map.Entry<Long, FetchedPart> each : parts.entrySet()) {
            while (each.getKey() >= ranges.get(at).end()) {
                at++;
            }
            FetchedPart part = each.getValue();
            PageBytes bytes = new PageBytes(
                    read.get(at), (int) (each.getKey() - ranges.get(at).offset()), part.size());
            if (part.page() == DICTIONARY) {
                takeDictionary(part, bytes);
            } else {
                pageBytes.put(new LeafPage(part.leafId(), part.page()), bytes);
            }
        }
        return pageBytes;
    }

    /** Merges adjacent pages into one range, so that a thousand small pages do not take a thousand reads. */
    private static void addRange(long offset, int size, List<ByteRange> ranges) {
        ByteRange last = ranges.isEmpty() ? null : ranges.getLast();
        if (last != null && last.end() == offset && last.length() + size <= MAX_RANGE) {
            ranges.set(ranges.size() - 1, new ByteRange(last.offset(), last.length() + size));
        } else {
            ranges.add(new ByteRange(offset, size));
        }
    }

    /** @param page its page number, or {@link #DICTIONARY} */
    private record FetchedPart(int leafId, ColumnType type, int rowGroup, int page, int size) {}

    private void addParts(int leafId, ColumnPages columnPages, int[] requested, SortedMap<Long, FetchedPart> parts)
            throws LogBlockException {
        for (int page : requested) {
            int rowGroup = columnPages.rowGroup(page);
            missingDictionary(leaves.get(leafId), rowGroup)
                    .ifPresent(range -> parts.put(
                            range.offset(),
                            new FetchedPart(leafId, columnPages.type(), rowGroup, DICTIONARY, range.length())));
            parts.put(
                    columnPages.offset(page),
                    new FetchedPart(leafId, columnPages.type(), rowGroup, page, columnPages.size(page)));
        }
    }

    /** The field ids of a column's leaves. */
    public static int[] leafIds(Column column) {
        return column.type() == ColumnType.MAP
                ? new int[] {column.keyFieldId(), column.valueFieldId()}
                : new int[] {column.fieldId()};
    }

    private static ColumnType leafType(Column column) {
        return column.type() == ColumnType.MAP ? ColumnType.VARCHAR : column.type();
    }

    /**
     * Decodes a fetched page.
     *
     * @param wanted how many of its first rows are needed, at least one: of a large page of text perhaps only these are
     *     decoded
     */
    public Vector decode(Column column, int page, int wanted, Map<LeafPage, PageBytes> bytes, PageBuffers buffers)
            throws IOException {
        if (column.type() == ColumnType.MAP) {
            return decodeMap(column, page, bytes);
        }
        LeafInfo leaf = leaves.get(column.fieldId());
        ColumnPages columnPages = pages(column);
        PageBytes stored = bytes.get(new LeafPage(column.fieldId(), page));
        int rowGroup = columnPages.rowGroup(page);
        int rows = columnPages.rows(page);
        try {
            return foreign.isPresent()
                    ? foreign.get().decode(leaf, column.type(), rowGroup, stored, rows)
                    : new PageDecoder(column.type(), leaf.maxDefinition(), leaf.maxRepetition(), buffers)
                            .decode(stored, rows, wanted, dictionary(leaf, rowGroup));
        } catch (IOException | RuntimeException e) {
            throw damaged(leaf, page, e);
        }
    }

    private Vector decodeMap(Column column, int page, Map<LeafPage, PageBytes> bytes) throws IOException {
        ColumnPages keyPages = pages(column.keyFieldId(), ColumnType.VARCHAR);
        ColumnPages valuePages = pages(column.valueFieldId(), ColumnType.VARCHAR);
        if (keyPages.firstRow(page) != valuePages.firstRow(page) || keyPages.endRow(page) != valuePages.endRow(page)) {
            throw new LogBlockException(
                    in.location(), "pages of keys and values of '%s' differ".formatted(column.name()));
        }
        PageDecoder.Entries keys = entries(column.keyFieldId(), keyPages.rowGroup(page), page, bytes);
        PageDecoder.Entries values = entries(column.valueFieldId(), keyPages.rowGroup(page), page, bytes);
        return map(keys, values, keyPages.rows(page), leaves.get(column.keyFieldId()), page);
    }

    private PageDecoder.Entries entries(int leafId, int rowGroup, int page, Map<LeafPage, PageBytes> bytes)
            throws IOException {
        LeafInfo leaf = leaves.get(leafId);
        PageBytes stored = bytes.get(new LeafPage(leafId, page));
        try {
            return foreign.isPresent()
                    ? foreign.get().decodeEntries(leaf, rowGroup, stored)
                    : new PageDecoder(ColumnType.VARCHAR, leaf.maxDefinition(), leaf.maxRepetition(), new PageBuffers())
                            .decodeEntries(stored, dictionary(leaf, rowGroup));
        } catch (IOException | RuntimeException e) {
            throw damaged(leaf, page, e);
        }
    }

    private Optional<Vector> dictionary(LeafInfo leaf, int rowGroup) {
        return Optional.ofNullable(dictionaries.get(dictionaryKey(leaf, rowGroup)));
    }

    /**
     * Builds maps from entries. An entry without a key denotes a row without entries: an empty map, or null at
     * definition level 0.
     */
    private MapVector map(PageDecoder.Entries keys, PageDecoder.Entries values, int rows, LeafInfo leaf, int page)
            throws LogBlockException {
        int[] offsets = new int[rows + 1];
        NullMask nulls = new NullMask(rows);
        int row = -1;
        int kept = 0;
        int[] keptPositions = new int[keys.repetition().length];
        for (int i = 0; i < keys.repetition().length; i++) {
            if (keys.repetition()[i] == 0) {
                row++;
                if (row >= rows) {
                    throw new LogBlockException(
                            in.location(), "more rows than expected in page %d of '%s'".formatted(page, leaf.name()));
                }
            }
            if (!keys.values().isNull(i)) {
                keptPositions[kept++] = i;
            } else if (keys.definition()[i] == 0) {
                nulls.set(row);
            }
            if (row >= 0) {
                offsets[row + 1] = kept;
            }
        }
        int[] positions = Arrays.copyOf(keptPositions, kept);
        return new MapVector(
                offsets,
                (StringVector) Gather.of(keys.values(), positions),
                (StringVector) Gather.of(values.values(), positions),
                rows,
                nulls.isEmpty() ? NullMask.none() : nulls);
    }

    private LogBlockException damaged(LeafInfo leaf, int page, Exception e) {
        return new LogBlockException(
                in.location(),
                "page %d of column '%s' %s: %s".formatted(page, leaf.name(), verdict(e), e.getMessage()),
                e);
    }

    private static String verdict(Exception e) {
        return e instanceof OversizedPageException ? "is too large to be read" : "is damaged";
    }

    private Optional<ByteRange> missingDictionary(LeafInfo leaf, int rowGroup) throws LogBlockException {
        if (foreign.isPresent()) {
            return foreign.get().missingDictionary(leaf, rowGroup);
        }
        ColumnMetaData meta = footer.getRow_groups()
                .get(rowGroup)
                .getColumns()
                .get(leaf.position())
                .getMeta_data();
        if (!meta.isSetDictionary_page_offset() || dictionaries.containsKey(dictionaryKey(leaf, rowGroup))) {
            return Optional.empty();
        }
        long offset = meta.getDictionary_page_offset();
        long end = meta.getData_page_offset();
        if (offset < 0 || end <= offset || end - offset > Integer.MAX_VALUE) {
            throw new LogBlockException(
                    in.location(),
                    "dictionary of column '%s' would be at [%d, %d): damaged".formatted(leaf.name(), offset, end));
        }
        return Optional.of(new ByteRange(offset, (int) (end - offset)));
    }

    private static long dictionaryKey(LeafInfo leaf, int rowGroup) {
        return (long) leaf.position() << 32 | rowGroup;
    }

    private void takeDictionary(FetchedPart part, PageBytes bytes) throws IOException {
        LeafInfo leaf = leaves.get(part.leafId());
        try {
            if (foreign.isPresent()) {
                foreign.get().give(leaf, part.rowGroup(), bytes);
            } else {
                dictionaries.put(
                        dictionaryKey(leaf, part.rowGroup()),
                        new PageDecoder(part.type(), leaf.maxDefinition(), leaf.maxRepetition(), new PageBuffers())
                                .decodeDictionary(bytes));
            }
        } catch (IOException | RuntimeException e) {
            throw new LogBlockException(
                    in.location(),
                    "dictionary of column '%s' %s: %s".formatted(leaf.name(), verdict(e), e.getMessage()),
                    e);
        }
    }

    public long retainedBytes() {
        // The parsed footer takes about twice its stored bytes.
        long bytes = 3L * fileEnd.bytes().length
                + foreign.map(ForeignPages::retainedBytes).orElse(0L);
        for (ColumnPages columnPages : pages.values()) {
            bytes += columnPages.retainedBytes();
        }
        for (Vector dictionary : dictionaries.values()) {
            bytes += dictionary instanceof StringVector strings
                    ? strings.bytes().length + 4L * strings.offsets().length
                    : 8L * dictionary.length();
        }
        return bytes;
    }
}
