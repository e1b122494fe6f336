package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.MalformedPageException;
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
 * A reader of adjacent pages of one column chunk for Parquet's column readers. It supports pages of any version, and
 * the codecs of {@link PageCodec}. Each page is decompressed when it is read. Not thread-safe.
 */
public final class StoredPages implements PageReader {
    private final byte[] bytes;
    private final CompressionCodec codec;
    private final Deque<Stored> pages = new ArrayDeque<>();
    private Optional<DictionaryPage> dictionary;
    private long valueCount;
    private boolean haveIdsOnly = true;
    private boolean hasIds;

    /** @param from start of its bytes, after the header */
    private record Stored(PageHeader header, int from) {}

    private StoredPages(byte[] bytes, CompressionCodec codec, Optional<DictionaryPage> dictionary) {
        this.bytes = bytes;
        this.codec = codec;
        this.dictionary = dictionary;
    }

    /**
     * Finds pages, and decompresses their dictionary if it is among them.
     *
     * @param bytes the array; the pages are {@code bytes[from .. from + length)}, headers included
     * @param dictionary the chunk's dictionary, if it is not among the pages
     * @throws MalformedPageException if pages are damaged; also thrown when they are read
     * @throws OversizedPageException if a page is too large to read at once; also thrown when it is read
     */
    public static StoredPages of(
            byte[] bytes, int from, int length, CompressionCodec codec, Optional<DictionaryPage> dictionary) {
        StoredPages pages = new StoredPages(bytes, codec, dictionary);
        ByteArrayInputStream in = new ByteArrayInputStream(bytes, from, length);
        try {
            while (in.available() > 0) {
                PageHeader header = Util.readPageHeader(in);
                int size = header.getCompressed_page_size();
                if (size < 0 || size > in.available()) {
                    throw new MalformedPageException("a page ends after its column chunk");
                }
                pages.add(header, from + length - in.available());
                in.skipNBytes(size);
            }
        } catch (IOException e) {
            throw new MalformedPageException("a page's header cannot be read: " + e.getMessage());
        }
        return pages;
    }

    private void add(PageHeader header, int from) {
        switch (header.getType()) {
            case DICTIONARY_PAGE -> dictionary = Optional.of(dictionary(header, from));
            case DATA_PAGE -> {
                DataPageHeader data = header.getData_page_header();
                add(new Stored(header, from), data.getNum_values(), data.getEncoding());
            }
            case DATA_PAGE_V2 -> {
                DataPageHeaderV2 data = header.getData_page_header_v2();
                add(new Stored(header, from), data.getNum_values(), data.getEncoding());
            }
            case INDEX_PAGE -> {
                // No writer is known, and readers need nothing in it
            }
        }
    }

    private void add(Stored page, int values, org.apache.parquet.format.Encoding encoding) {
        if (values < 0) {
            throw new MalformedPageException("a page of %d values".formatted(values));
        }
        pages.add(page);
        valueCount += values;
        haveIdsOnly &= encoding(encoding).usesDictionary();
    }

    private DictionaryPage dictionary(PageHeader header, int from) {
        requireChecksum(header, from);
        byte[] page = PageCodec.decompress(
                codec, bytes, from, header.getCompressed_page_size(), header.getUncompressed_page_size());
        int values = header.getDictionary_page_header().getNum_values();
        // The smallest values take 4 bytes: numbers, and the length of empty text
        if (values < 0 || values > page.length / Integer.BYTES) {
            throw new MalformedPageException("a dictionary of %d values in %d bytes".formatted(values, page.length));
        }
        return new DictionaryPage(
                BytesInput.from(page),
                values,
                encoding(header.getDictionary_page_header().getEncoding()));
    }

    private void requireChecksum(PageHeader header, int from) {
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(bytes, from, header.getCompressed_page_size());
            if ((int) crc.getValue() != header.getCrc()) {
                throw new MalformedPageException("checksum is wrong");
            }
        }
    }

    private DataPage version1(PageHeader header, int from) {
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

    /** Reads a page of version 2, whose levels precede the values and are never compressed. */
    private DataPage version2(PageHeader header, int from) {
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

    /** Replaces the stored dictionary for readers. */
    void replaceDictionary(DictionaryPage other) {
        dictionary = Optional.of(other);
    }

    /** Whether every page has ids of the dictionary instead of values. */
    boolean haveIdsOnly() {
        return haveIdsOnly;
    }

    /** Whether the last read page has ids. */
    boolean hasIds() {
        return hasIds;
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
        Stored next = pages.remove();
        requireChecksum(next.header(), next.from());
        DataPage page = next.header().isSetData_page_header()
                ? version1(next.header(), next.from())
                : version2(next.header(), next.from());
        hasIds = encodingOf(next.header()).usesDictionary();
        return page;
    }

    private static Encoding encodingOf(PageHeader header) {
        return encoding(
                header.isSetData_page_header()
                        ? header.getData_page_header().getEncoding()
                        : header.getData_page_header_v2().getEncoding());
    }
}
