package io.cordwood.logblock.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;

/**
 * Pages of one column chunk that follow each other, decompressed, for Parquet's column readers: of any version, and any
 * codec that {@link PageCodec} knows. Not thread-safe.
 */
public final class StoredPages implements PageReader {
    private final CompressionCodec codec;
    private final Deque<DataPage> pages = new ArrayDeque<>();
    private Optional<DictionaryPage> dictionary;
    private long valueCount;

    private StoredPages(CompressionCodec codec, Optional<DictionaryPage> dictionary) {
        this.codec = codec;
        this.dictionary = dictionary;
    }

    /**
     * Decompresses pages.
     *
     * @param bytes they are {@code bytes[from .. from + length)}, headers included
     * @param dictionary the chunk's, if it is not among the pages
     * @throws MalformedPageException if they are damaged
     */
    public static StoredPages of(
            byte[] bytes, int from, int length, CompressionCodec codec, Optional<DictionaryPage> dictionary) {
        StoredPages pages = new StoredPages(codec, dictionary);
        ByteArrayInputStream in = new ByteArrayInputStream(bytes, from, length);
        try {
            while (in.available() > 0) {
                PageHeader header = Util.readPageHeader(in);
                int size = header.getCompressed_page_size();
                if (size < 0 || size > in.available()) {
                    throw new MalformedPageException("a page ends after its column chunk");
                }
                pages.add(header, bytes, from + length - in.available());
                in.skipNBytes(size);
            }
        } catch (IOException e) {
            throw new MalformedPageException("a page's header cannot be read: " + e.getMessage());
        }
        return pages;
    }

    private void add(PageHeader header, byte[] bytes, int from) {
        int size = header.getCompressed_page_size();
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(bytes, from, size);
            if ((int) crc.getValue() != header.getCrc()) {
                throw new MalformedPageException("checksum is wrong");
            }
        }
        switch (header.getType()) {
            case DICTIONARY_PAGE ->
                dictionary = Optional.of(new DictionaryPage(
                        BytesInput.from(
                                PageCodec.decompress(codec, bytes, from, size, header.getUncompressed_page_size())),
                        header.getDictionary_page_header().getNum_values(),
                        encoding(header.getDictionary_page_header().getEncoding())));
            case DATA_PAGE -> {
                pages.add(version1(header, bytes, from));
                valueCount += header.getData_page_header().getNum_values();
            }
            case DATA_PAGE_V2 -> {
                pages.add(version2(header, bytes, from));
                valueCount += header.getData_page_header_v2().getNum_values();
            }
            case INDEX_PAGE -> {
                // Nobody writes it, and there is nothing in it that a reader needs
            }
        }
    }

    private DataPage version1(PageHeader header, byte[] bytes, int from) {
        DataPageHeader data = header.getData_page_header();
        byte[] page = PageCodec.decompress(
                codec, bytes, from, header.getCompressed_page_size(), header.getUncompressed_page_size());
        return new DataPageV1(
                BytesInput.from(page),
                data.getNum_values(),
                page.length,
                null,
                encoding(data.getRepetition_level_encoding()),
                encoding(data.getDefinition_level_encoding()),
                encoding(data.getEncoding()));
    }

    /** Levels stand before the values and are never compressed. */
    private DataPage version2(PageHeader header, byte[] bytes, int from) {
        DataPageHeaderV2 data = header.getData_page_header_v2();
        int repetition = data.getRepetition_levels_byte_length();
        int definition = data.getDefinition_levels_byte_length();
        int size = header.getCompressed_page_size();
        if (repetition < 0 || definition < 0 || repetition > size - definition) {
            throw new MalformedPageException("levels of %d and %d bytes".formatted(repetition, definition));
        }
        int levels = repetition + definition;
        boolean isCompressed = !data.isSetIs_compressed() || data.isIs_compressed();
        byte[] values = PageCodec.decompress(
                isCompressed ? codec : CompressionCodec.UNCOMPRESSED,
                bytes,
                from + levels,
                size - levels,
                header.getUncompressed_page_size() - levels);
        return DataPageV2.uncompressed(
                data.getNum_rows(),
                data.getNum_nulls(),
                data.getNum_values(),
                BytesInput.from(bytes, from, repetition),
                BytesInput.from(bytes, from + repetition, definition),
                encoding(data.getEncoding()),
                BytesInput.from(values),
                null);
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
        return Encoding.valueOf(encoding.name());
    }

    /** The dictionary, if there is one. */
    Optional<DictionaryPage> dictionary() {
        return dictionary;
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
