package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.DeltaEncoding;
import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.encoding.RleEncoding;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/**
 * A decoder of pages of one leaf column into plain arrays and dictionary ids. Not thread-safe, because its buffers are
 * not.
 */
final class PageDecoder {
    /**
     * The maximum number of entries. No page of this format comes near: a page ends after 384 KiB of values or one row.
     */
    static final int MAX_ENTRIES = 1 << 24;

    /** Of a page's first bytes a multiple of so many are decompressed, as its blocks of Zstandard have this size. */
    private static final int FIRST_BYTES = LogBlockOptions.DEFAULTS.textBlockBytes();
    /** Zstandard has memory of its own for as many bytes. Pages of more have a very large row. */
    private static final int MAX_BLOCKS_BYTES = 1 << 20;

    private final ColumnType type;
    private final int maxDefinition;
    private final int maxRepetition;
    private final PageBuffers buffers;

    /**
     * @param type type of the leaf's values
     * @param buffers memory to decompress pages into; a plain {@link StringVector} keeps such a buffer as its bytes
     */
    PageDecoder(ColumnType type, int maxDefinition, int maxRepetition, PageBuffers buffers) {
        this.type = type;
        this.maxDefinition = maxDefinition;
        this.maxRepetition = maxRepetition;
        this.buffers = buffers;
    }

    /**
     * The entries of a page of a repeated leaf.
     *
     * @param values values of the entries with the highest definition level, and null for those one below
     */
    record Entries(int[] repetition, int[] definition, StringVector values) {}

    /**
     * Decodes a page of a leaf that is not repeated: one value or null for each row.
     *
     * @param wanted how many of its first rows are needed, at least one: of a large page of text perhaps only these are
     *     decoded
     */
    Vector decode(PageBytes bytes, int rows, int wanted, Optional<Vector> dictionary) throws IOException {
        Page page = Page.open(bytes, PageType.DATA_PAGE);
        if (page.values() != rows) {
            throw new MalformedPageException("%d values for %d rows".formatted(page.values(), rows));
        }
        Optional<Vector> first = firstTexts(page, wanted);
        if (first.isPresent()) {
            return first.get();
        }
        ByteSource in = page.decompress(buffers);
        NullMask nulls = nulls(in, rows);
        return giveBack(in, values(page.encoding(), in, rows, nulls, dictionary));
    }

    /**
     * The first rows of a page of plain text, if they lie in its first blocks of Zstandard; empty if the page has to be
     * decompressed whole.
     */
    private Optional<Vector> firstTexts(Page page, int wanted) {
        boolean hasBlocks = page.size() > FIRST_BYTES && page.size() <= MAX_BLOCKS_BYTES;
        if (type != ColumnType.VARCHAR || page.encoding() != Encoding.PLAIN || !hasBlocks) {
            return Optional.empty();
        }
        // Rows are not of one size
        int likely = (int) ((long) page.size() * wanted / page.values()) + page.size() / 16;
        // Not the last byte of a block: with it Zstandard decompresses the next block too
        int first = Math.ceilDiv(likely, FIRST_BYTES) * FIRST_BYTES - 1;
        if (page.size() - first <= Zstd.smallRest(FIRST_BYTES)) {
            return Optional.empty();
        }
        ByteSource in = page.decompressFirst(first, buffers);
        if (hasLevels(in)) {
            NullMask nulls = nulls(in, wanted);
            if (hasTexts(in, wanted, nulls)) {
                return Optional.of(plainStrings(in, wanted, nulls));
            }
        }
        buffers.give(in.bytes());
        return Optional.empty();
    }

    private boolean hasLevels(ByteSource in) {
        ByteSource ahead = in.rest();
        int length = maxDefinition == 0 ? 0 : ahead.readInt();
        return length >= 0 && length <= ahead.remaining();
    }

    /** Whether so many values, each after its length, are all there. */
    private static boolean hasTexts(ByteSource in, int length, NullMask nulls) {
        ByteSource ahead = in.rest();
        for (int i = 0; i < length; i++) {
            if (!nulls.isNull(i)) {
                int size = ahead.remaining() < Integer.BYTES ? -1 : ahead.readInt();
                if (size < 0 || size > ahead.remaining()) {
                    return false;
                }
                ahead.skip(size);
            }
        }
        return true;
    }

    /** Returns a page's buffer to the pool, unless the values use it. */
    private Vector giveBack(ByteSource in, Vector values) {
        byte[] buffer = in.bytes();
        if (!(values instanceof StringVector strings && strings.bytes() == buffer)) {
            buffers.give(buffer);
        }
        return values;
    }

    Entries decodeEntries(PageBytes bytes, Optional<Vector> dictionary) throws IOException {
        Page page = Page.open(bytes, PageType.DATA_PAGE);
        requireAtMost(page, MAX_ENTRIES);
        ByteSource in = page.decompress(buffers);
        int[] repetition = new int[page.values()];
        int[] definition = new int[page.values()];
        readLevels(in, maxRepetition, repetition);
        readLevels(in, maxDefinition, definition);
        NullMask absent = new NullMask(definition.length);
        for (int i = 0; i < definition.length; i++) {
            if (definition[i] < maxDefinition) {
                absent.set(i);
            }
        }
        StringVector values = (StringVector) values(page.encoding(), in, definition.length, absent, dictionary);
        return new Entries(repetition, definition, values);
    }

    Vector decodeDictionary(PageBytes bytes) throws IOException {
        Page page = Page.open(bytes, PageType.DICTIONARY_PAGE);
        requireAtMost(page, MAX_ENTRIES);
        ByteSource in = page.decompress(buffers);
        return giveBack(in, trimmed(plain(in, page.values(), page.values(), NullMask.none())));
    }

    /** Trims a dictionary to its values, because it stays in memory. */
    private static Vector trimmed(Vector dictionary) {
        return dictionary instanceof StringVector strings ? trimmed(strings) : dictionary;
    }

    static StringVector trimmed(StringVector dictionary) {
        return StringVector.plain(
                Arrays.copyOf(dictionary.bytes(), dictionary.offsets()[dictionary.length()]),
                dictionary.offsets(),
                dictionary.length(),
                dictionary.nulls());
    }

    private static void requireAtMost(Page page, int entries) {
        if (page.values() < 0 || page.values() > entries) {
            throw new MalformedPageException("%d entries".formatted(page.values()));
        }
    }

    private static void readLevels(ByteSource in, int max, int[] levels) {
        RleEncoding.decode(levels(in), RleEncoding.bitWidth(max), levels, levels.length);
    }

    private static ByteSource levels(ByteSource in) {
        int length = in.readInt();
        int from = in.position();
        in.skip(length);
        return new ByteSource(in.bytes(), from, from + length);
    }

    /** The nulls among the first rows. */
    private NullMask nulls(ByteSource in, int rows) {
        if (maxDefinition == 0) {
            return NullMask.none();
        }
        ByteSource section = levels(in);
        if (RleEncoding.isRunOf(maxDefinition, section, rows)) {
            return NullMask.none();
        }
        int[] levels = new int[rows];
        RleEncoding.decode(section, RleEncoding.bitWidth(maxDefinition), levels, rows);
        NullMask nulls = new NullMask(levels.length);
        for (int i = 0; i < levels.length; i++) {
            if (levels[i] == 0) {
                nulls.set(i);
            }
        }
        return nulls.isEmpty() ? NullMask.none() : nulls;
    }

    private Vector values(Encoding encoding, ByteSource in, int length, NullMask nulls, Optional<Vector> dictionary) {
        int present = length - nulls.count();
        return switch (encoding) {
            case RLE_DICTIONARY, PLAIN_DICTIONARY ->
                byDictionary(
                        in,
                        length,
                        present,
                        nulls,
                        dictionary.orElseThrow(() -> new MalformedPageException("ids without a dictionary")));
            case PLAIN -> plain(in, length, present, nulls);
            case DELTA_BINARY_PACKED -> {
                long[] values = new long[present];
                DeltaEncoding.decode(in, values, present);
                yield new LongVector(spread(values, length, nulls), length, nulls);
            }
            default -> throw new MalformedPageException("encoding %s is not supported".formatted(encoding));
        };
    }

    private Vector byDictionary(ByteSource in, int length, int present, NullMask nulls, Vector dictionary) {
        int[] ids = new int[present];
        if (present > 0) {
            int width = in.readByte();
            RleEncoding.decode(in, width, ids, present);
        }
        for (int id : ids) {
            if (id < 0 || id >= dictionary.length()) {
                throw new MalformedPageException("id %d in a dictionary of %d".formatted(id, dictionary.length()));
            }
        }
        return switch (dictionary) {
            case StringVector strings ->
                new StringVector(strings.bytes(), strings.offsets(), spread(ids, length, nulls), length, nulls);
            case LongVector longs -> {
                long[] values = new long[present];
                for (int i = 0; i < present; i++) {
                    values[i] = longs.values()[ids[i]];
                }
                yield new LongVector(spread(values, length, nulls), length, nulls);
            }
            case DoubleVector doubles -> {
                double[] values = new double[length];
                for (int i = 0, next = 0; i < length; i++) {
                    values[i] = nulls.isNull(i) ? 0 : doubles.values()[ids[next++]];
                }
                yield new DoubleVector(values, length, nulls);
            }
            default -> throw new MalformedPageException("a dictionary of %s".formatted(type));
        };
    }

    private Vector plain(ByteSource in, int length, int present, NullMask nulls) {
        switch (type) {
            case BIGINT, TIMESTAMP -> {
                long[] values = new long[length];
                for (int i = 0; i < length; i++) {
                    values[i] = nulls.isNull(i) ? 0 : in.readLong();
                }
                return new LongVector(values, length, nulls);
            }
            case DOUBLE -> {
                double[] values = new double[length];
                for (int i = 0; i < length; i++) {
                    values[i] = nulls.isNull(i) ? 0 : Double.longBitsToDouble(in.readLong());
                }
                return new DoubleVector(values, length, nulls);
            }
            case BOOLEAN -> {
                int[] bits = new int[present];
                in.unpack(1, bits, 0, present);
                boolean[] values = new boolean[length];
                for (int i = 0, next = 0; i < length; i++) {
                    values[i] = !nulls.isNull(i) && bits[next++] == 1;
                }
                return new BooleanVector(values, length, nulls);
            }
            case VARCHAR, MAP -> {
                return plainStrings(in, length, nulls);
            }
        }
        throw new MalformedPageException("type " + type);
    }

    /** Compacts the values' bytes within the decompressed buffer, so that only offsets are allocated. */
    static StringVector plainStrings(ByteSource in, int length, NullMask nulls) {
        byte[] bytes = in.bytes();
        int[] offsets = new int[length + 1];
        int at = in.position();
        offsets[0] = at;
        for (int i = 0; i < length; i++) {
            if (!nulls.isNull(i)) {
                int size = in.readInt();
                int from = in.position();
                in.skip(size);
                System.arraycopy(bytes, from, bytes, at, size);
                at += size;
            }
            offsets[i + 1] = at;
        }
        return StringVector.plain(bytes, offsets, length, nulls);
    }

    private static long[] spread(long[] present, int length, NullMask nulls) {
        if (nulls.isEmpty()) {
            return present;
        }
        long[] values = new long[length];
        for (int i = 0, next = 0; i < length; i++) {
            values[i] = nulls.isNull(i) ? 0 : present[next++];
        }
        return values;
    }

    private static int[] spread(int[] present, int length, NullMask nulls) {
        if (nulls.isEmpty()) {
            return present;
        }
        int[] values = new int[length];
        for (int i = 0, next = 0; i < length; i++) {
            values[i] = nulls.isNull(i) ? 0 : present[next++];
        }
        return values;
    }

    /**
     * A page's header and its compressed bytes.
     *
     * @param size size of the decompressed bytes
     */
    private record Page(int values, Encoding encoding, int size, byte[] compressed, int from, int count) {
        static Page open(PageBytes page, PageType expected) {
            byte[] bytes = page.array();
            ByteSource stored = new ByteSource(bytes, page.from(), page.from() + page.length());
            PageHeaders.Header header = PageHeaders.read(stored);
            int start = stored.position();
            int size = header.compressedSize();
            if (header.type().orElse(null) != expected || size < 0 || size > stored.remaining()) {
                throw new MalformedPageException(
                        "a %s of %d bytes where a %s was expected".formatted(header.type(), size, expected));
            }
            if (header.crc().isPresent()) {
                CRC32 crc = new CRC32();
                crc.update(bytes, start, size);
                if ((int) crc.getValue() != header.crc().get()) {
                    throw new MalformedPageException("checksum is wrong");
                }
            }
            Encoding encoding = expected == PageType.DICTIONARY_PAGE
                    ? Encoding.PLAIN
                    : header.encoding().orElseThrow(() -> new MalformedPageException("a page of an unknown encoding"));
            return new Page(header.values(), encoding, header.uncompressedSize(), bytes, start, size);
        }

        ByteSource decompress(PageBuffers buffers) {
            return new ByteSource(Zstd.decompress(compressed, from, count, size, buffers), 0, size);
        }

        ByteSource decompressFirst(int first, PageBuffers buffers) {
            return new ByteSource(Zstd.decompressFirst(compressed, from, count, size, first, buffers), 0, first);
        }
    }
}
