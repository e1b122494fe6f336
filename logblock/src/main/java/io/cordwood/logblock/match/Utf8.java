package io.cordwood.logblock.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hand-written decoding and encoding of UTF-8: values are compared as bytes, and malformed input must not cause
 * failures. Unicode's table 3-7 defines well-formed: no overlong forms, no surrogates, nothing past U+10FFFF.
 * Stateless.
 */
public final class Utf8 {
    static final int REPLACEMENT = 0xFFFD;
    private static final int LENGTH_SHIFT = 21;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /** Whether the bytes {@code [from, to)} are well-formed. */
    public static boolean isValid(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (i + 8 <= to && ((long) LONG.get(bytes, i) & HIGH_BITS) == 0) {
                i += 8;
                continue;
            }
            int size = sequence(bytes, i, to);
            if (size == 0) {
                return false;
            }
            i += size;
        }
        return true;
    }

    /**
     * The length of the well-formed sequence at {@code i}, or 0 if it is ill-formed. It duplicates the checks of {@link
     * #decode} in another form, because sharing code would make the callers slower.
     */
    public static int sequence(byte[] bytes, int i, int to) {
        int first = bytes[i] & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xC2 || first > 0xF4) {
            return 0;
        }
        if (first < 0xE0) {
            return isContinuation(bytes, i + 1, to) ? 2 : 0;
        }
        if (i + 2 >= to) {
            return 0;
        }
        int second = bytes[i + 1] & 0xFF;
        if (first < 0xF0) {
            int lowest = first == 0xE0 ? 0xA0 : 0x80;
            int highest = first == 0xED ? 0x9F : 0xBF;
            return second >= lowest && second <= highest && isContinuation(bytes, i + 2, to) ? 3 : 0;
        }
        int lowest = first == 0xF0 ? 0x90 : 0x80;
        int highest = first == 0xF4 ? 0x8F : 0xBF;
        return second >= lowest
                        && second <= highest
                        && isContinuation(bytes, i + 2, to)
                        && isContinuation(bytes, i + 3, to)
                ? 4
                : 0;
    }

    private static boolean isContinuation(byte[] bytes, int i, int to) {
        return i < to && (bytes[i] & 0xC0) == 0x80;
    }

    /**
     * The code point that starts at {@code position}, with its number of bytes; see {@link #codePoint} and {@link
     * #length}. A byte that does not start a well-formed sequence is {@link #REPLACEMENT}, of length 1.
     */
    static int decode(byte[] bytes, int position, int end) {
        int first = bytes[position];
        if (first >= 0) {
            return pack(first, 1);
        }
        int length = (first & 0xE0) == 0xC0 ? 2 : (first & 0xF0) == 0xE0 ? 3 : (first & 0xF8) == 0xF0 ? 4 : 0;
        if (length == 0 || position + length > end) {
            return pack(REPLACEMENT, 1);
        }
        int codePoint = first & (0xFF >>> (length + 1));
        for (int i = 1; i < length; i++) {
            int next = bytes[position + i];
            if ((next & 0xC0) != 0x80) {
                return pack(REPLACEMENT, 1);
            }
            codePoint = codePoint << 6 | next & 0x3F;
        }
        boolean overlong = codePoint < (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000);
        boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
        if (overlong || surrogate || codePoint > Character.MAX_CODE_POINT) {
            return pack(REPLACEMENT, 1);
        }
        return pack(codePoint, length);
    }

    static int codePoint(int decoded) {
        return decoded & ((1 << LENGTH_SHIFT) - 1);
    }

    static int length(int decoded) {
        return decoded >>> LENGTH_SHIFT;
    }

    private static int pack(int codePoint, int length) {
        return length << LENGTH_SHIFT | codePoint;
    }

    /** Writes a code point other than a surrogate, in 1 to 4 bytes, and returns the position after it. */
    public static int encode(int codePoint, byte[] out, int position) {
        int at = position;
        if (codePoint < 0x80) {
            out[at++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            out[at++] = (byte) (0xC0 | codePoint >>> 6);
            out[at++] = (byte) (0x80 | codePoint & 0x3F);
        } else if (codePoint < 0x10000) {
            out[at++] = (byte) (0xE0 | codePoint >>> 12);
            out[at++] = (byte) (0x80 | codePoint >>> 6 & 0x3F);
            out[at++] = (byte) (0x80 | codePoint & 0x3F);
        } else {
            out[at++] = (byte) (0xF0 | codePoint >>> 18);
            out[at++] = (byte) (0x80 | codePoint >>> 12 & 0x3F);
            out[at++] = (byte) (0x80 | codePoint >>> 6 & 0x3F);
            out[at++] = (byte) (0x80 | codePoint & 0x3F);
        }
        return at;
    }
}
