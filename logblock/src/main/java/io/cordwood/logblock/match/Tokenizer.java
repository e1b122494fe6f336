package io.cordwood.logblock.match;

import java.util.Arrays;

/**
 * The analyzer: cuts UTF-8 text into tokens. One for index, hot tier and scan. Reusable, not thread-safe.
 *
 * <p>A token is a maximal run of letters, marks and decimal digits (Unicode categories L*, M*, Nd), lower-cased code
 * point by code point and not normalised; a character of script Han is a token by itself; of a token over 256 code
 * points the first 256 count. Malformed bytes separate tokens.
 */
public final class Tokenizer {
    /** Version of the rules and of the Unicode tables behind them. */
    public static final int VERSION = UnicodeTables.VERSION;

    static final int MAX_CODE_POINTS = 256;
    /** Lower case of each ASCII token character; 0 for separators. */
    private static final byte[] ASCII = new byte[128];

    static {
        for (int c = 0; c < 128; c++) {
            ASCII[c] = UnicodeTables.kind(c) == UnicodeTables.SEPARATOR ? 0 : (byte) UnicodeTables.lower(c);
        }
    }

    private final byte[] token = new byte[4 * MAX_CODE_POINTS];
    private byte[] text = new byte[0];
    private int position;
    private int end;
    private int length;

    /** Starts on the text {@code utf8[from .. to)}. */
    public Tokenizer reset(byte[] utf8, int from, int to) {
        text = utf8;
        position = from;
        end = to;
        return this;
    }

    /** Moves to the next token; false at the end of the text. */
    public boolean next() {
        length = 0;
        int p = position;
        int count = 0;
        while (p < end) {
            byte b = text[p];
            if (b >= 0) {
                byte lower = ASCII[b];
                p++;
                if (lower != 0) {
                    if (count++ < MAX_CODE_POINTS) {
                        token[length++] = lower;
                    }
                } else if (count != 0) {
                    break;
                }
                continue;
            }
            int decoded = Utf8.decode(text, p, end);
            int codePoint = Utf8.codePoint(decoded);
            int kind = UnicodeTables.kind(codePoint);
            if (kind == UnicodeTables.HAN && count != 0) {
                break;
            }
            p += Utf8.length(decoded);
            if (kind == UnicodeTables.SEPARATOR) {
                if (count != 0) {
                    break;
                }
                continue;
            }
            if (count++ < MAX_CODE_POINTS) {
                length = Utf8.encode(UnicodeTables.lower(codePoint), token, length);
            }
            if (kind == UnicodeTables.HAN) {
                break;
            }
        }
        position = p;
        return count != 0;
    }

    /** Lower case of an ASCII token character; 0 for a separator. */
    static byte asciiLower(byte ascii) {
        return ASCII[ascii];
    }

    /** Where the text goes on after the current token. */
    int position() {
        return position;
    }

    /** The current token's UTF-8 bytes are the first {@link #length()} of this array, until the next call. */
    public byte[] bytes() {
        return token;
    }

    public int length() {
        return length;
    }

    /** A copy of the current token. */
    public byte[] copy() {
        return Arrays.copyOf(token, length);
    }

    /** Lower-cases a whole value code point by code point; malformed bytes stay as they are. */
    public static byte[] lowerCase(byte[] utf8, int from, int to) {
        byte[] out = new byte[4 * (to - from)];
        int length = 0;
        int p = from;
        while (p < to) {
            int decoded = Utf8.decode(utf8, p, to);
            int codePoint = Utf8.codePoint(decoded);
            int bytes = Utf8.length(decoded);
            if (codePoint == Utf8.REPLACEMENT && bytes == 1) {
                out[length++] = utf8[p];
            } else {
                length = Utf8.encode(UnicodeTables.lower(codePoint), out, length);
            }
            p += bytes;
        }
        return Arrays.copyOf(out, length);
    }
}
