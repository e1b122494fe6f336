package io.cordwood.logblock.match;

import java.util.Arrays;

/**
 * The analyzer, which cuts UTF-8 text into tokens. Index, hot tier and scan share it. Reusable, not thread-safe.
 *
 * <p>A token is a maximal run of letters, marks and decimal digits (Unicode categories L*, M*, Nd), lower-cased code
 * point by code point and not normalised; a character of script Han is a token by itself; of a token over 256 code
 * points the first 256 count. Malformed bytes separate tokens.
 */
public final class Tokenizer {
    /** Version of the rules and of the Unicode tables behind them. */
    public static final int VERSION = UnicodeTables.VERSION;

    static final int MAX_CODE_POINTS = 256;
    private static final byte NO_ASCII = -1;
    /** By byte: lower case of an ASCII token character; 0 for an ASCII separator; {@link #NO_ASCII} for all others. */
    private static final byte[] LOWER = new byte[256];

    static {
        Arrays.fill(LOWER, NO_ASCII);
        for (int c = 0; c < 128; c++) {
            LOWER[c] = UnicodeTables.kind(c) == UnicodeTables.SEPARATOR ? 0 : (byte) UnicodeTables.lower(c);
        }
    }

    private final byte[] token = new byte[4 * MAX_CODE_POINTS];
    private byte[] text = new byte[0];
    private int position;
    private int end;
    private int length;

    /** Starts tokenising the text {@code utf8[from .. to)}. */
    public Tokenizer reset(byte[] utf8, int from, int to) {
        text = utf8;
        position = from;
        end = to;
        return this;
    }

    /** Moves to the next token; false at the end of the text. */
    public boolean next() {
        int p = position;
        while (p < end && LOWER[text[p] & 0xFF] == 0) {
            p++;
        }
        int limit = Math.min(end, p + MAX_CODE_POINTS);
        int count = 0;
        while (p < limit) {
            byte lower = LOWER[text[p] & 0xFF];
            if (lower <= 0) {
                break;
            }
            token[count++] = lower;
            p++;
        }
        length = count;
        if (p == end) {
            position = p;
            return count != 0;
        }
        if (LOWER[text[p] & 0xFF] == 0) {
            position = p + 1;
            return true;
        }
        return goOn(p, count);
    }

    /** Continues a token whose first {@code taken} characters are ASCII and already read. */
    private boolean goOn(int from, int taken) {
        int p = from;
        int count = taken;
        while (p < end) {
            byte b = text[p];
            if (b >= 0) {
                byte lower = LOWER[b];
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
        return LOWER[ascii];
    }

    /** A buffer whose first {@link #length()} bytes are the current token in UTF-8, until the next call. */
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
