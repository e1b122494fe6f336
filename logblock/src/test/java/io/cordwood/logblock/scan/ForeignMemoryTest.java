package io.cordwood.logblock.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.testing.OneColumnFile;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.StringVector;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;

/** What the pages of other programs may take of memory, and what such a program does not promise. */
class ForeignMemoryTest {
    private static final int ROWS = 20_000;
    private static final int VALUE_BYTES = 50_000;

    /** The rows hold a gigabyte, the page some bytes. */
    @Test
    void valuesOfADictionaryAreNotRepeated() throws Exception {
        OneColumnFile file = largeDictionary();
        for (int page = 0; page < 2; page++) {
            byIds(file);
        }
        try (LogBlock block = file.open()) {
            int[] rows = LogBlockTest.range(2 * ROWS);
            StringVector first = read(block, rows, 0);
            assertThat(first.isDictionary()).isTrue();
            assertThat(first.bytes()).hasSize(VALUE_BYTES + 1);
            assertThat(first.string(0)).isEqualTo("x".repeat(VALUE_BYTES));
            assertThat(first.string(ROWS - 1)).isEqualTo("x".repeat(VALUE_BYTES));
            assertThat(read(block, rows, ROWS).bytes())
                    .as("one dictionary for all pages")
                    .isSameAs(first.bytes());
            assertThat(block.retainedBytes()).isBetween((long) VALUE_BYTES, 2L * VALUE_BYTES);
        }
    }

    @Test
    void aPageAfterTheDictionaryWasFullIsReadToo() throws Exception {
        OneColumnFile file = largeDictionary();
        byIds(file);
        ByteSink plain = new ByteSink(64);
        OneColumnFile.writeLevels(1, 2, plain);
        OneColumnFile.writeText("größer".getBytes(UTF_8), plain);
        OneColumnFile.writeText(new byte[0], plain);
        file.page(2, Encoding.PLAIN, plain.toByteArray(), plain.size());
        try (LogBlock block = file.open()) {
            StringVector values = (StringVector)
                    block.cursor(SampleRows.LEVEL, new ReadMetrics()).read(LogBlockTest.range(ROWS + 2), ROWS - 1, 3);
            assertThat(LogBlockTest.values(values, LogBlockTest.range(3)))
                    .containsExactly("x".repeat(VALUE_BYTES), "größer", "");
        }
    }

    @Test
    void anIdThatTheDictionaryLacksIsDamage() throws Exception {
        OneColumnFile file = largeDictionary();
        ByteSink ids = new ByteSink(64);
        OneColumnFile.writeLevels(1, 3, ids);
        ids.write(2);
        OneColumnFile.writeRun(2, 3, ids);
        file.page(3, Encoding.RLE_DICTIONARY, ids.toByteArray(), ids.size());
        try (LogBlock block = file.open()) {
            assertThatThrownBy(() -> read(block, LogBlockTest.range(3), 0))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("page 0 of column 'level' is damaged: id 2 in a dictionary of 2");
        }
    }

    /** Each value repeats the one before, for which this encoding needs no bytes: sound, and too much. */
    @Test
    void valuesThatGrowInDecodingAreBounded() throws Exception {
        int rows = 10_000;
        ByteSink page = new ByteSink(1 << 17);
        OneColumnFile.writeLevels(1, rows, page);
        writeRepeated(rows, page);
        try (LogBlock block = new OneColumnFile(SampleRows.LEVEL, CompressionCodec.UNCOMPRESSED)
                .page(rows, Encoding.DELTA_BYTE_ARRAY, page.toByteArray(), page.size())
                .open()) {
            assertThatThrownBy(() -> read(block, LogBlockTest.range(rows), 0))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("memory: page 0 of column 'level' is too large to be read")
                    .hasMessageContaining("rewrite the file with smaller pages or row groups");
        }
    }

    private static void writeRepeated(int count, ByteSink out) throws IOException {
        Binary value = Binary.fromString("x".repeat(VALUE_BYTES));
        try (DeltaByteArrayWriter writer = new DeltaByteArrayWriter(1 << 12, 1 << 16, new HeapByteBufferAllocator())) {
            for (int i = 0; i < count; i++) {
                writer.writeBytes(value);
            }
            writer.getBytes().writeAllTo(out);
        }
    }

    @Test
    void aHeaderThatPromisesTooMuchIsRefused() throws Exception {
        try (LogBlock block = new OneColumnFile(SampleRows.LEVEL, CompressionCodec.ZSTD)
                .page(3, Encoding.PLAIN, new byte[20], Integer.MAX_VALUE - 8)
                .open()) {
            assertThatThrownBy(() -> read(block, LogBlockTest.range(3), 0))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("memory: page 0 of column 'level' is too large to be read")
                    .hasMessageContaining("rewrite the file with smaller pages or row groups");
        }
    }

    @Test
    void aDictionaryOfMoreValuesThanItHasBytesForIsDamage() throws Exception {
        OneColumnFile file = new OneColumnFile(SampleRows.LEVEL, CompressionCodec.UNCOMPRESSED)
                .dictionary(Integer.MAX_VALUE - 8, new byte[20], 20);
        byIds(file);
        try (LogBlock block = file.open()) {
            assertThatThrownBy(() -> read(block, LogBlockTest.range(ROWS), 0))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("dictionary of column 'level' is damaged")
                    .hasMessageContaining("2147483639 values in 20 bytes");
        }
    }

    /** Other programs do not know which columns a stream requires. */
    @Test
    void aRequiredColumnMayHoldNulls() throws Exception {
        ByteSink page = new ByteSink(64);
        ByteSink levels = new ByteSink(16);
        OneColumnFile.writeRun(1, 1, levels);
        OneColumnFile.writeRun(0, 2, levels);
        page.writeInt(levels.size());
        page.write(levels.bytes(), 0, levels.size());
        OneColumnFile.writeText("acme".getBytes(UTF_8), page);
        try (LogBlock block = new OneColumnFile(SampleRows.TENANT, CompressionCodec.UNCOMPRESSED)
                .page(3, Encoding.PLAIN, page.toByteArray(), page.size())
                .open()) {
            Predicate isNull = new Predicate.IsNull(SampleRows.TENANT);
            for (ReadOptions options : SampleRows.ALL_OPTIONS) {
                assertThat(rows(block, isNull, options)).containsExactly(1, 2);
                assertThat(rows(block, new Predicate.Not(isNull), options)).containsExactly(0);
                assertThat(rows(block, new Predicate.Not(equalTo("other")), options))
                        .containsExactly(0);
            }
        }
    }

    private static Predicate equalTo(String value) {
        return new Predicate.In(SampleRows.TENANT, List.of(Predicate.ValueRange.equal(value)));
    }

    private static int[] rows(LogBlock block, Predicate predicate, ReadOptions options) throws IOException {
        return block.scan(block.rows(), predicate, ScanDirection.ALL, options, new ReadMetrics())
                .all()
                .toArray();
    }

    private static StringVector read(LogBlock block, int[] rows, int from) throws IOException {
        int count = Math.min(ROWS, rows.length - from);
        return (StringVector) block.cursor(SampleRows.LEVEL, new ReadMetrics()).read(rows, from, count);
    }

    private static OneColumnFile largeDictionary() throws IOException {
        ByteSink values = new ByteSink(1 << 16);
        OneColumnFile.writeText("x".repeat(VALUE_BYTES).getBytes(UTF_8), values);
        OneColumnFile.writeText("y".getBytes(UTF_8), values);
        return new OneColumnFile(SampleRows.LEVEL, CompressionCodec.UNCOMPRESSED)
                .dictionary(2, values.toByteArray(), values.size());
    }

    /** A page in which each row has the dictionary's first value. */
    private static void byIds(OneColumnFile file) throws IOException {
        ByteSink page = new ByteSink(64);
        OneColumnFile.writeLevels(1, ROWS, page);
        page.write(1);
        OneColumnFile.writeRun(0, ROWS, page);
        file.page(ROWS, Encoding.RLE_DICTIONARY, page.toByteArray(), page.size());
    }
}
