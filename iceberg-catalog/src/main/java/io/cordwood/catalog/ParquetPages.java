package io.cordwood.catalog;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.xerial.snappy.Snappy;

/** The pages of one column chunk, decompressed, for Parquet's column readers. Not thread-safe. */
final class ParquetPages implements PageReader {
    private final long valueCount;
    private final Optional<DictionaryPage> dictionary;
    private final Deque<DataPage> pages;

    private ParquetPages(long valueCount, Optional<DictionaryPage> dictionary, Deque<DataPage> pages) {
        this.valueCount = valueCount;
        this.dictionary = dictionary;
        this.pages = pages;
    }

    /**
     * Decompresses the pages of a chunk.
     *
     * @param file the bytes of the whole file
     * @throws UnreadableDeletesException if the codec is not known here
     * @throws IOException if the chunk is damaged
     */
    static ParquetPages of(String location, byte[] file, ColumnMetaData chunk) throws IOException {
        long start = chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0
                ? Math.min(chunk.getDictionary_page_offset(), chunk.getData_page_offset())
                : chunk.getData_page_offset();
        ByteArrayInputStream in = new ByteArrayInputStream(
                file, Math.toIntExact(start), Math.toIntExact(chunk.getTotal_compressed_size()));
        Optional<DictionaryPage> dictionary = Optional.empty();
        Deque<DataPage> pages = new ArrayDeque<>();
        for (long values = 0; values < chunk.getNum_values(); ) {
            PageHeader header = Util.readPageHeader(in);
            byte[] stored = in.readNBytes(header.getCompressed_page_size());
            if (stored.length != header.getCompressed_page_size()) {
                throw new IOException("a page ends after its column chunk");
            }
            switch (header.getType()) {
                case DICTIONARY_PAGE ->
                    dictionary = Optional.of(new DictionaryPage(
                            BytesInput.from(decompress(
                                    location, chunk.getCodec(), stored, 0, header.getUncompressed_page_size())),
                            header.getDictionary_page_header().getNum_values(),
                            encoding(header.getDictionary_page_header().getEncoding())));
                case DATA_PAGE -> {
                    pages.add(version1(location, chunk.getCodec(), header, stored));
                    values += header.getData_page_header().getNum_values();
                }
                case DATA_PAGE_V2 -> {
                    pages.add(version2(location, chunk.getCodec(), header, stored));
                    values += header.getData_page_header_v2().getNum_values();
                }
                default -> {
                    // Readers skip pages of a kind they do not know
                }
            }
        }
        return new ParquetPages(chunk.getNum_values(), dictionary, pages);
    }

    private static DataPage version1(String location, CompressionCodec codec, PageHeader header, byte[] stored)
            throws IOException {
        DataPageHeader data = header.getData_page_header();
        byte[] bytes = decompress(location, codec, stored, 0, header.getUncompressed_page_size());
        return new DataPageV1(
                BytesInput.from(bytes),
                data.getNum_values(),
                bytes.length,
                null,
                encoding(data.getRepetition_level_encoding()),
                encoding(data.getDefinition_level_encoding()),
                encoding(data.getEncoding()));
    }

    /** Levels stand before the values and are never compressed. */
    private static DataPage version2(String location, CompressionCodec codec, PageHeader header, byte[] stored)
            throws IOException {
        DataPageHeaderV2 data = header.getData_page_header_v2();
        int repetition = data.getRepetition_levels_byte_length();
        int definition = data.getDefinition_levels_byte_length();
        int levels = repetition + definition;
        boolean compressed = !data.isSetIs_compressed() || data.isIs_compressed();
        byte[] values = decompress(
                location,
                compressed ? codec : CompressionCodec.UNCOMPRESSED,
                stored,
                levels,
                header.getUncompressed_page_size() - levels);
        return DataPageV2.uncompressed(
                data.getNum_rows(),
                data.getNum_nulls(),
                data.getNum_values(),
                BytesInput.from(stored, 0, repetition),
                BytesInput.from(stored, repetition, definition),
                encoding(data.getEncoding()),
                BytesInput.from(values),
                null);
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
        return Encoding.valueOf(encoding.name());
    }

    private static byte[] decompress(String location, CompressionCodec codec, byte[] stored, int from, int size)
            throws IOException {
        int length = stored.length - from;
        byte[] out = new byte[size];
        long written = switch (codec) {
            case UNCOMPRESSED -> {
                System.arraycopy(stored, from, out, 0, Math.min(size, length));
                yield length;
            }
            case ZSTD -> Zstd.decompressByteArray(out, 0, size, stored, from, length);
            case SNAPPY ->
                Snappy.uncompressedLength(stored, from, length) == size
                        ? Snappy.uncompress(stored, from, length, out, 0)
                        : -1;
            case GZIP -> {
                try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored, from, length))) {
                    yield in.readNBytes(out, 0, size);
                }
            }
            default ->
                throw new UnreadableDeletesException(
                        location,
                        "is compressed with %s, and only zstd, snappy and gzip can be read: rewrite the table's data files with the program that deleted the rows"
                                .formatted(codec));
        };
        if (written != size) {
            throw new IOException("a page does not hold the %d bytes that its header announces".formatted(size));
        }
        return out;
    }

    @Override
    public DictionaryPage readDictionaryPage() {
        return dictionary.orElse(null);
    }

    @Override
    public long getTotalValueCount() {
        return valueCount;
    }

    @Override
    public DataPage readPage() {
        return pages.poll();
    }
}
