package io.cordwood.logblock.match;

/** UTF-8, decoded and encoded by hand: values are compared as bytes, and malformed input must not stop anything. */
final class Utf8 {
    static final int REPLACEMENT = 0xFFFD;
    private static final int LENGTH_SHIFT = 21;

    private Utf8() {}

    /**
     * The code point that starts at {@code position}, with the number of bytes it takes; see {@link #codePoint} and
     * {@link #length}. A byte that starts no well-formed sequence is {@link #REPLACEMENT}, of length 1.
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

    /** Writes a code point and returns the position after it. */
    static int encode(int codePoint, byte[] out, int position) {
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
