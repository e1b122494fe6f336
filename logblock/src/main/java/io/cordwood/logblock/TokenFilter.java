package io.cordwood.logblock;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.parquet.ByteSource;
import io.cordwood.logblock.parquet.XxHash64;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Which terms a LogBlock may hold, small enough to be kept beside its name: it says of a condition that no row of the
 * LogBlock satisfies it, or says nothing. Immutable. SPEC.md has the bytes.
 *
 * <p>Terms are the tokens of text columns, and the whole values of keyword columns, lower-cased. Each is a hash of which
 * the upper bits choose one of as many buckets as there are terms, and {@code remainderBits} others are kept.
 */
public final class TokenFilter {
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
     * The filter with these bytes; empty if they are damaged or of another version.
     *
     * @param serialized must not change any more
     */
    public static Optional<TokenFilter> parse(ByteBuffer serialized) {
        byte[] bytes = bytes(serialized);
        int end = bytes.length - CRC_BYTES;
        if (end < 1 || bytes[0] != VERSION || crc(bytes, end) != new ByteSource(bytes, end, bytes.length).readInt()) {
            return Optional.empty();
        }
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

    /** The buffer's own array if it is nothing else: of many filters a copy would be much memory. */
    private static byte[] bytes(ByteBuffer buffer) {
        if (buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.array().length == buffer.remaining()) {
            return buffer.array();
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** The number of an index kind in a filter. */
    static int code(IndexKind kind) {
        return switch (kind) {
            case NONE -> 0;
            case KEYWORD -> KEYWORD;
            case TEXT -> TEXT;
        };
    }

    /** The hash of a term of a column. */
    static long hash(int fieldId, byte[] term, int length) {
        long mixed = (XxHash64.hash(term, 0, length) ^ fieldId) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    /** Which of {@code terms} buckets a hash belongs to. */
    static int bucket(long hash, int terms) {
        return (int) ((hash >>> 32) * terms >>> 32);
    }

    /** What is kept of a hash. */
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

    /**
     * False if no row of the LogBlock satisfies the predicate; true if that is not certain. Columns are resolved by field
     * id.
     */
    public boolean mayMatch(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> conditions) ->
                conditions.stream().allMatch(this::mayMatch);
            case Predicate.Or(List<Predicate> conditions) -> conditions.stream().anyMatch(this::mayMatch);
            case Predicate.Not _not -> true;
            case Predicate.IsNull _isNull -> true;
            case Predicate.Match(Column column, var query) ->
                kind(column) == 0 || kind(column) != code(column.index()) || mayMatch(column, query.root());
            case Predicate.In(Column column, var ranges) ->
                kind(column) == 0
                        || ranges.stream()
                                .anyMatch(range -> !range.isSingleValue()
                                        || mayHoldValue(
                                                column, ((String) range.low().orElseThrow()).getBytes(UTF_8)));
            case Predicate.Like(Column column, var pattern, var escape) ->
                kind(column) != TEXT
                        || mayHoldAll(column, LikePattern.parse(pattern, escape).wholeTokens());
        };
    }

    private boolean mayMatch(Column column, MatchNode node) {
        return switch (node) {
            case MatchNode.And(List<MatchNode> conditions) ->
                conditions.stream().allMatch(condition -> mayMatch(column, condition));
            case MatchNode.Or(List<MatchNode> conditions) ->
                conditions.stream().anyMatch(condition -> mayMatch(column, condition));
            case MatchNode.Not _not -> true;
            case MatchNode.Phrase phrase
            when kind(column) == TEXT -> {
                List<byte[]> tokens = phrase.tokens();
                yield mayHoldAll(column, phrase.prefix() ? tokens.subList(0, tokens.size() - 1) : tokens);
            }
            case MatchNode.Phrase phrase -> phrase.prefix() || mayHold(column, phrase.keyword());
        };
    }

    private boolean mayHoldValue(Column column, byte[] value) {
        return kind(column) == TEXT
                ? mayHoldAll(column, LikePattern.tokens(value))
                : mayHold(column, Tokenizer.lowerCase(value, 0, value.length));
    }

    private boolean mayHoldAll(Column column, List<byte[]> tokens) {
        return tokens.stream().allMatch(token -> mayHold(column, token));
    }

    /** 0 if the filter does not know the column. */
    private int kind(Column column) {
        return kinds.getOrDefault(column.fieldId(), 0);
    }

    private boolean mayHold(Column column, byte[] term) {
        if (terms == 0) {
            return false;
        }
        long hash = hash(column.fieldId(), term, term.length);
        int bucket = bucket(hash, terms);
        int bit = startOf(bucket);
        int wanted = remainder(hash, remainderBits);
        for (; isEntry(bit); bit++) {
            if (remainderAt(bit - bucket) == wanted) {
                return true;
            }
        }
        return false;
    }

    /** The bit at which a bucket's entries begin: each bucket is a one-bit for each entry, then a zero-bit. */
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

    /** Three bytes always hold it: ten bits at most, and a checksum comes after the last. */
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
