package io.cordwood.hot.statistics;

import io.cordwood.logblock.match.Tokenizer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes of the terms of a column, for {@link BloomFilter}: the tokens of a text, or a whole value, independent of
 * letter case. Part of the format. Keeps scratch memory; not thread-safe.
 *
 * <p>It processes every ingested byte, so it takes eight at a time. Text that is not ASCII goes to the analyzer.
 */
final class TermHash {
    /** The analyzer cuts longer tokens, this class does not: a query term this long prunes nothing. */
    static final int MAX_TOKEN_BYTES = 255;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    /** Lower-cases ASCII letters; maps other bytes consistently. */
    private static final long LOWER_CASE = 0x2020202020202020L;

    private final Tokenizer tokenizer = new Tokenizer();

    /** The seed that separates the terms of this column from those of others. */
    static long salt(String column) {
        return mixed(column.hashCode());
    }

    /** The hash of a term, from its length and its first and last eight bytes, without data-dependent branches. */
    static long of(long salt, byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return salt;
        }
        long mask = -1L >>> -Long.BYTES * Math.min(length, Long.BYTES);
        long first = (word(bytes, from, to) | LOWER_CASE) & mask;
        long last = (word(bytes, Math.max(from, to - Long.BYTES), to) | LOWER_CASE) & mask;
        return mixed((salt ^ first) * MULTIPLIER + Long.rotateLeft(last, Integer.SIZE) + length);
    }

    private static long mixed(long hash) {
        long product = (hash ^ hash >>> 32) * MULTIPLIER;
        return product ^ product >>> 29;
    }

    /** Up to eight bytes from a position; the bytes behind the last one are undefined. */
    private static long word(byte[] bytes, int at, int to) {
        if (at + Long.BYTES <= bytes.length) {
            return (long) LONG.get(bytes, at);
        }
        long word = 0;
        for (int i = to - 1; i >= at; i--) {
            word = word << 8 | bytes[i] & 0xFF;
        }
        return word;
    }

    private static long mask(int bytes) {
        return bytes == Long.BYTES ? -1 : (1L << 8 * bytes) - 1;
    }

    /** Adds a value as a whole. */
    void addValue(long salt, byte[] utf8, int from, int to, BloomFilter filter) {
        long all = 0;
        int at = from;
        for (; to - at > Long.BYTES; at += Long.BYTES) {
            all |= (long) LONG.get(utf8, at);
        }
        all |= word(utf8, at, to) & mask(to - at);
        if ((all & HIGH_BITS) == 0) {
            filter.add(of(salt, utf8, from, to));
        } else {
            byte[] lower = Tokenizer.lowerCase(utf8, from, to);
            filter.add(of(salt, lower, 0, lower.length));
        }
    }

    /** Adds the tokens of a text. */
    void addTokens(long salt, byte[] utf8, int from, int to, BloomFilter filter) {
        boolean inToken = false;
        int start = from;
        for (int block = from; block < to; block += Long.SIZE) {
            int end = Math.min(to, block + Long.SIZE);
            long tokens = 0;
            for (int at = block; at < end; at += Long.BYTES) {
                long word = word(utf8, at, end) & mask(Math.min(Long.BYTES, end - at));
                if ((word & HIGH_BITS) != 0) {
                    // Hashes added so far do no harm
                    analyze(salt, utf8, from, to, filter);
                    return;
                }
                tokens |= tokenBytes(word) << at - block;
            }
            // Bits where tokens begin and end
            long changes = tokens ^ (tokens << 1 | (inToken ? 1 : 0));
            for (; changes != 0; changes &= changes - 1) {
                int at = block + Long.numberOfTrailingZeros(changes);
                if (inToken) {
                    filter.add(of(salt, utf8, start, at));
                }
                start = at;
                inToken = !inToken;
            }
        }
        if (inToken) {
            filter.add(of(salt, utf8, start, to));
        }
    }

    /** For each byte of a word of ASCII, lowest byte first: whether it is a letter or a digit. */
    private static long tokenBytes(long word) {
        long lower = word | LOWER_CASE | HIGH_BITS;
        long letters = lower - 'a' * EACH & ~(lower - ('z' + 1) * EACH);
        long digits = (word | HIGH_BITS) - '0' * EACH & ~((word | HIGH_BITS) - ('9' + 1) * EACH);
        // The product's upper byte collects the bits
        return (((letters | digits) & HIGH_BITS) >>> 7) * 0x0102040810204080L >>> 56;
    }

    private void analyze(long salt, byte[] utf8, int from, int to, BloomFilter filter) {
        tokenizer.reset(utf8, from, to);
        while (tokenizer.next()) {
            filter.add(of(salt, tokenizer.bytes(), 0, tokenizer.length()));
        }
    }
}
