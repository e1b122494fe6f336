package io.cordwood.logblock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** A Parquet file of another program with one optional text column, made page by page, so that its headers can lie. */
public final class OneColumnFile {
    private static final byte[] MAGIC = "PAR1".getBytes(UTF_8);

    private final Column column;
    private final CompressionCodec codec;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private long dictionaryOffset;
    private long dataOffset;
    private long rows;

    public OneColumnFile(Column column, CompressionCodec codec) {
        this.column = column;
        this.codec = codec;
        out.writeBytes(MAGIC);
    }

    /** A page with its values as they are stored, and the size that its header says they have decompressed. */
    public OneColumnFile dictionary(int values, byte[] stored, int size) throws IOException {
        dictionaryOffset = out.size();
        PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, size, stored.length);
        header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
        write(header, stored);
        return this;
    }

    public OneColumnFile page(int values, Encoding encoding, byte[] stored, int size) throws IOException {
        dataOffset = dataOffset == 0 ? out.size() : dataOffset;
        rows += values;
        PageHeader header = new PageHeader(PageType.DATA_PAGE, size, stored.length);
        header.setData_page_header(new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE));
        write(header, stored);
        return this;
    }

    private void write(PageHeader header, byte[] stored) throws IOException {
        Util.writePageHeader(header, out);
        out.writeBytes(stored);
    }

    public LogBlock open() throws IOException {
        return LogBlock.open(new BytesReader(toByteArray()), new ReadMetrics());
    }

    /** The file. No page can be added after it. */
    public byte[] toByteArray() throws IOException {
        SchemaElement root = new SchemaElement("table");
        root.setNum_children(1);
        SchemaElement leaf = new SchemaElement(column.name());
        leaf.setType(Type.BYTE_ARRAY);
        leaf.setRepetition_type(FieldRepetitionType.OPTIONAL);
        leaf.setField_id(column.fieldId());
        long stored = out.size() - (long) MAGIC.length;
        ColumnMetaData meta = new ColumnMetaData(
                Type.BYTE_ARRAY,
                List.of(Encoding.PLAIN),
                List.of(column.name()),
                codec,
                rows,
                stored,
                stored,
                dataOffset);
        if (dictionaryOffset > 0) {
            meta.setDictionary_page_offset(dictionaryOffset);
        }
        ColumnChunk chunk = new ColumnChunk(0);
        chunk.setMeta_data(meta);
        int footer = out.size();
        Util.writeFileMetaData(
                new FileMetaData(1, List.of(root, leaf), rows, List.of(new RowGroup(List.of(chunk), stored, rows))),
                out);
        ByteSink end = new ByteSink(8);
        end.writeInt(out.size() - footer);
        end.write(MAGIC, 0, MAGIC.length);
        out.writeBytes(end.toByteArray());
        return out.toByteArray();
    }

    /** Definition levels of a page: so many times the same. */
    public static void writeLevels(int level, int count, ByteSink out) {
        ByteSink run = new ByteSink(8);
        writeRun(level, count, run);
        out.writeInt(run.size());
        out.write(run.bytes(), 0, run.size());
    }

    public static void writeRun(int value, int count, ByteSink out) {
        out.writeVarint((long) count << 1);
        out.write(value);
    }

    public static void writeText(byte[] value, ByteSink out) {
        out.writeInt(value.length);
        out.write(value, 0, value.length);
    }
}
