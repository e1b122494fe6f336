package io.cordwood.catalog.delete;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.parquet.PageCodec;
import io.cordwood.logblock.parquet.StoredPages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.MetadataColumns;
import org.apache.parquet.VersionParser;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * Decodes position delete files in Parquet from any writer. Not thread-safe.
 *
 * <p>It uses Parquet's own column readers, as other engines choose other encodings and page versions; the reader of
 * LogBlocks supports only those of LogBlocks.
 */
final class PositionDeleteReader {
    private static final byte[] MAGIC = "PAR1".getBytes(UTF_8);
    private static final int END = Integer.BYTES + MAGIC.length;

    private final String location;
    private final byte[] bytes;
    private final FileMetaData footer;
    private final Map<String, Positions> positions = new HashMap<>();

    /** A column's position among the leaves, and how often it may be absent. */
    private record Leaf(int position, ColumnDescriptor descriptor) {}

    /** Rows of one data file. */
    private static final class Positions {
        private int[] rows = new int[16];
        private int size;

        void add(long row) {
            if (size == rows.length) {
                rows = Arrays.copyOf(rows, 2 * size);
            }
            rows[size++] = Math.toIntExact(row);
        }

        DeletedRows toRows() {
            return DeletedRows.of(Arrays.copyOf(rows, size));
        }
    }

    private PositionDeleteReader(String location, byte[] bytes) throws IOException {
        this.location = location;
        this.bytes = bytes;
        this.footer = footer();
    }

    /**
     * Reads the deleted rows of each data file, by its location.
     *
     * @throws UnreadableDeletesException if the file is damaged, or its compression is not supported
     * @throws IOException if the file is damaged
     */
    static Map<String, DeletedRows> read(String location, byte[] bytes) throws IOException {
        return new PositionDeleteReader(location, bytes).read();
    }

    private FileMetaData footer() throws IOException {
        int end = bytes.length - END;
        if (end < MAGIC.length
                || !Arrays.equals(bytes, bytes.length - MAGIC.length, bytes.length, MAGIC, 0, MAGIC.length)) {
            throw new UnreadableDeletesException(location, "is not a Parquet file");
        }
        int length = (bytes[end] & 0xff)
                | (bytes[end + 1] & 0xff) << 8
                | (bytes[end + 2] & 0xff) << 16
                | (bytes[end + 3] & 0xff) << 24;
        if (length < 0 || length > end) {
            throw new UnreadableDeletesException(location, "has a footer of %d bytes: damaged".formatted(length));
        }
        return Util.readFileMetaData(new ByteArrayInputStream(bytes, end - length, length));
    }

    private Map<String, DeletedRows> read() throws IOException {
        Leaf path = leaf(MetadataColumns.DELETE_FILE_PATH.fieldId(), "file_path", PrimitiveTypeName.BINARY);
        Leaf row = leaf(MetadataColumns.DELETE_FILE_POS.fieldId(), "pos", PrimitiveTypeName.INT64);
        for (RowGroup group : footer.getRow_groups()) {
            read(reader(group, path), reader(group, row), group.getNum_rows());
        }
        Map<String, DeletedRows> rows = new HashMap<>();
        positions.forEach((dataFile, of) -> rows.put(dataFile, of.toRows()));
        return Map.copyOf(rows);
    }

    private void read(ColumnReader paths, ColumnReader rows, long count) {
        // Files are sorted by path, so it changes rarely
        Binary last = null;
        Positions current = new Positions();
        for (long i = 0; i < count; i++) {
            Binary path = paths.getBinary();
            if (!path.equals(last)) {
                last = path.copy();
                current = positions.computeIfAbsent(last.toStringUsingUTF8(), any -> new Positions());
            }
            current.add(rows.getLong());
            paths.consume();
            rows.consume();
        }
    }

    /** Finds a top-level column by its field id, or by its name if the writer left the ids out. */
    private Leaf leaf(int fieldId, String name, PrimitiveTypeName type) {
        int leaf = 0;
        int at = 1;
        for (int child = 0; child < footer.getSchema().getFirst().getNum_children(); child++) {
            SchemaElement element = footer.getSchema().get(at);
            boolean found = element.isSetField_id()
                    ? element.getField_id() == fieldId
                    : element.getName().equals(name);
            if (found && element.getNum_children() == 0) {
                boolean optional = element.getRepetition_type() == FieldRepetitionType.OPTIONAL;
                PrimitiveType primitive = new PrimitiveType(
                        optional ? Repetition.OPTIONAL : Repetition.REQUIRED, type, element.getName());
                return new Leaf(
                        leaf, new ColumnDescriptor(new String[] {element.getName()}, primitive, 0, optional ? 1 : 0));
            }
            int end = skip(at);
            leaf += leaves(at, end);
            at = end;
        }
        throw new UnreadableDeletesException(location, "has no column '%s'".formatted(name));
    }

    /** Index of the element after this one and its descendants. */
    private int skip(int at) {
        int next = at;
        for (long left = 1; left > 0; left--) {
            left += footer.getSchema().get(next++).getNum_children();
        }
        return next;
    }

    private int leaves(int from, int end) {
        List<SchemaElement> elements = footer.getSchema().subList(from, end);
        return (int) elements.stream()
                .filter(element -> element.getNum_children() == 0)
                .count();
    }

    private ColumnReader reader(RowGroup group, Leaf leaf) throws IOException {
        ColumnMetaData chunk = group.getColumns().get(leaf.position()).getMeta_data();
        if (!PageCodec.isReadable(chunk.getCodec())) {
            throw new UnreadableDeletesException(
                    location,
                    "is compressed with %s, which cannot be read: rewrite the table's data files with the program that deleted the rows"
                            .formatted(chunk.getCodec()));
        }
        long start = chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0
                ? Math.min(chunk.getDictionary_page_offset(), chunk.getData_page_offset())
                : chunk.getData_page_offset();
        long length = chunk.getTotal_compressed_size();
        if (start < 0 || length < 0 || start > bytes.length - length) {
            throw new IOException("%d bytes of a column at %d of %d".formatted(length, start, bytes.length));
        }
        StoredPages pages = StoredPages.of(bytes, (int) start, (int) length, chunk.getCodec(), Optional.empty());
        return new ColumnReaderImpl(leaf.descriptor(), pages, new PrimitiveConverter() {}, writerVersion());
    }

    /** Version of the writer; null if unknown, which the column reader accepts. */
    private VersionParser.ParsedVersion writerVersion() {
        try {
            return footer.isSetCreated_by() ? VersionParser.parse(footer.getCreated_by()) : null;
        } catch (VersionParser.VersionParseException e) {
            return null;
        }
    }
}
