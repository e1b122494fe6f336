package io.cordwood.logblock.sketch;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.encoding.XxHash64;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.predicate.KnownValues;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A filter of the terms that a LogBlock may contain, small enough to be stored beside its name. It may prove that no
 * row of the LogBlock satisfies a condition. Immutable. SPEC.md specifies the bytes.
 *
 * <p>Terms are the tokens of text columns, and the whole values of keyword columns, lower-cased. The upper bits of a
 * term's hash choose one of as many buckets as there are terms; the bucket stores {@code remainderBits} other bits.
 */
public final class TokenFilter implements KnownValues {
    static final int VERSION = 1;
    static final int KEYWORD = 1;
    static final int TEXT = 2;
    static final int CRC_BYTES = 4;

    private final byte[] bytes;
    private final Map<Integer, Integer> kinds;
    private final int terms;
    private final int remainderBits;
    private final int bucketsFrom;
    private final int remaindersFrom;

    private TokenFilter(byte[] bytes, Map<Integer, Integer> kinds, int terms, int remainderBits, int bucketsFrom) {
        this.bytes = bytes;
        this.kinds = kinds;
        this.terms = terms;
        this.remainderBits = remainderBits;
        this.bucketsFrom = bucketsFrom;
        this.remaindersFrom = bucketsFrom + Math.ceilDiv(2 * terms, 8);
    }

    /**
     * Parses a filter; empty if the bytes are damaged or of another version.
     *
     * @param serialized the bytes, which must not change any more
     */
    public static Optional<TokenFilter> parse(ByteBuffer serialized) {
        byte[] bytes = bytes(serialized);
        int end = bytes.length - CRC_BYTES;
        if (end < 1 || bytes[0] != VERSION || crc(bytes, end) != new ByteSource(bytes, end, bytes.length).readInt()) {
            return Optional.empty();
        }
        try {
            return parse(bytes, end);
        } catch (MalformedPageException e) {
            // The checksum is right but the content is not: another program wrote it
            return Optional.empty();
        }
    }

    private static Optional<TokenFilter> parse(byte[] bytes, int end) {
        ByteSource in = new ByteSource(bytes, 1, end);
        if (in.readVarint32() != Tokenizer.VERSION) {
            return Optional.empty();
        }
        Map<Integer, Integer> kinds = new HashMap<>();
        for (int columns = in.readVarint32(); columns > 0; columns--) {
            kinds.put(in.readVarint32(), in.readByte());
        }
        int terms = in.readVarint32();
        int remainderBits = in.readByte();
        TokenFilter filter = new TokenFilter(bytes, Map.copyOf(kinds), terms, remainderBits, in.position());
        return filter.remaindersFrom + Math.ceilDiv((long) terms * remainderBits, 8) == end
                ? Optional.of(filter)
                : Optional.empty();
    }

    /** The buffer's array without a copy, if it has no other content: copies of many filters would take much memory. */
    private static byte[] bytes(ByteBuffer buffer) {
        if (buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.array().length == buffer.remaining()) {
            return buffer.array();
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    public static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** The code of an index kind in a filter. */
    static int code(IndexKind kind) {
        return switch (kind) {
            case NONE -> 0;
            case KEYWORD -> KEYWORD;
            case TEXT -> TEXT;
        };
    }

    /** The hash of a term of a column. */
    static long hash(int fieldId, byte[] bytes, int from, int length) {
        long mixed = (XxHash64.hash(bytes, from, length) ^ fieldId) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    /** The bucket of a hash, out of {@code terms} buckets. */
    static int bucket(long hash, int terms) {
        return (int) ((hash >>> 32) * terms >>> 32);
    }

    /** The stored bits of a hash. */
    static int remainder(long hash, int bits) {
        return (int) hash & (1 << bits) - 1;
    }

    /** A copy of the filter's bytes, for {@link #parse}. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    public int sizeInBytes() {
        return bytes.length;
    }

    /** Resolves columns by field id. */
    @Override
    public IndexKind terms(Column column) {
        return switch (kinds.getOrDefault(column.fieldId(), 0)) {
            case KEYWORD -> IndexKind.KEYWORD;
            case TEXT -> IndexKind.TEXT;
            default -> IndexKind.NONE;
        };
    }

    @Override
    public boolean mayHold(Column column, byte[] term) {
        if (terms == 0) {
            return false;
        }
        long hash = hash(column.fieldId(), term, 0, term.length);
        int bucket = bucket(hash, terms);
        int bit = startOf(bucket);
        int expected = remainder(hash, remainderBits);
        for (; isEntry(bit); bit++) {
            if (remainderAt(bit - bucket) == expected) {
                return true;
            }
        }
        return false;
    }

    /** The bit where a bucket's entries begin: each bucket is a one-bit for each entry, then a zero-bit. */
    private int startOf(int bucket) {
        int zeros = bucket;
        int at = bucketsFrom;
        for (int here = zerosIn(at); here < zeros; here = zerosIn(at)) {
            zeros -= here;
            at++;
        }
        int bit = (at - bucketsFrom) * 8;
        while (zeros > 0) {
            zeros -= isEntry(bit) ? 0 : 1;
            bit++;
        }
        return bit;
    }

    private int zerosIn(int at) {
        return 8 - Integer.bitCount(bytes[at] & 0xFF);
    }

    private boolean isEntry(int bit) {
        return (bytes[bucketsFrom + (bit >>> 3)] >>> (bit & 7) & 1) == 1;
    }

    /**
     * The remainder of an entry. Three bytes always contain it: it has ten bits at most, and a checksum follows the
     * last one.
     */
    private int remainderAt(int entry) {
        int bit = entry * remainderBits;
        int at = remaindersFrom + (bit >>> 3);
        int three = bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
        return three >>> (bit & 7) & (1 << remainderBits) - 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenFilter filter && Arrays.equals(filter.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "TokenFilter[%d terms, %d bytes]".formatted(terms, bytes.length);
    }
}
