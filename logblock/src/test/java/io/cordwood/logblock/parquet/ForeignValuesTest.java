package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.StringVector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

class ForeignValuesTest {
    private static final int TOO_MANY = Integer.MAX_VALUE - 8;

    @Test
    void noMoreEntriesAreBelievedThanPagesHave() throws IOException {
        ForeignValues values = new ForeignValues(leaf(Type.BYTE_ARRAY, 1), ColumnType.VARCHAR, Optional.empty());
        StoredPages pages = pages(TOO_MANY);
        assertThatThrownBy(() -> values.decodeEntries(pages, Optional.empty()))
                .isInstanceOf(OversizedPageException.class)
                .hasMessageContaining("2147483639 values");
    }

    /** Header and footer agree, and both lie. */
    @Test
    void noMoreRowsAreBelievedThanPagesHave() throws IOException {
        ForeignValues values = new ForeignValues(leaf(Type.INT64, 0), ColumnType.BIGINT, Optional.empty());
        StoredPages pages = pages(TOO_MANY);
        assertThatThrownBy(() -> values.decode(pages, Optional.empty(), TOO_MANY))
                .isInstanceOf(OversizedPageException.class)
                .hasMessageContaining("2147483639 values");
    }

    @Test
    void fewerThanNoValuesAreDamage() throws IOException {
        assertThatThrownBy(() -> pages(-1))
                .isInstanceOf(MalformedPageException.class)
                .hasMessageContaining("-1 values");
    }

    /** Pages of a map's chunk are decoded together: the first by ids, the next, when the dictionary was full, plain. */
    @Test
    void idsAndValuesInOneRunAreReadTogether() throws IOException {
        LeafInfo leaf = leaf(Type.BYTE_ARRAY, 0);
        ByteSink texts = new ByteSink(16);
        writeText("red", texts);
        writeText("green", texts);
        ByteSink ids = present(2);
        ids.write(new byte[] {1, 2 << 1, 1}, 0, 3);
        ByteSink plain = present(1);
        writeText("blue", plain);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PageHeader dictionary = new PageHeader(PageType.DICTIONARY_PAGE, texts.size(), texts.size());
        dictionary.setDictionary_page_header(new DictionaryPageHeader(2, Encoding.PLAIN));
        Util.writePageHeader(dictionary, out);
        out.writeBytes(texts.toByteArray());
        writePage(2, Encoding.PLAIN_DICTIONARY, ids.toByteArray(), out);
        writePage(1, Encoding.PLAIN, plain.toByteArray(), out);
        StoredPages pages =
                StoredPages.of(out.toByteArray(), 0, out.size(), CompressionCodec.UNCOMPRESSED, Optional.empty());
        StringVector values = (StringVector) new ForeignValues(leaf, ColumnType.VARCHAR, Optional.empty())
                .decode(pages, pages.dictionary().map(page -> ForeignDictionary.of(leaf, page)), 3);
        assertThat(values.isDictionary()).isFalse();
        assertThat(List.of(values.string(0), values.string(1), values.string(2)))
                .containsExactly("green", "green", "blue");
    }

    private static void writeText(String value, ByteSink out) {
        out.writeInt(value.length());
        out.write(value.getBytes(UTF_8), 0, value.length());
    }

    /** Definition levels of values that are all there. */
    private static ByteSink present(int count) {
        ByteSink out = new ByteSink(16);
        out.writeInt(2);
        out.writeVarint(count << 1);
        out.write(1);
        return out;
    }

    private static LeafInfo leaf(Type type, int repetition) {
        SchemaElement element = new SchemaElement("leaf");
        element.setType(type);
        return new LeafInfo(0, 1, repetition, 0, element);
    }

    private static StoredPages pages(int values) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writePage(values, Encoding.PLAIN, new byte[16], out);
        return StoredPages.of(out.toByteArray(), 0, out.size(), CompressionCodec.UNCOMPRESSED, Optional.empty());
    }

    private static void writePage(int values, Encoding encoding, byte[] stored, ByteArrayOutputStream out)
            throws IOException {
        PageHeader header = new PageHeader(PageType.DATA_PAGE, stored.length, stored.length);
        header.setData_page_header(new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE));
        Util.writePageHeader(header, out);
        out.writeBytes(stored);
    }
}
