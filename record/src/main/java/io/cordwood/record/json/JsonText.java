package io.cordwood.record.json;

import io.cordwood.logblock.match.Utf8;

/**
 * Converts the bytes of a JSON string or array to well-formed UTF-8 without losing any of them.
 *
 * <p>Content that UTF-8 cannot express stays visible. An escaped surrogate without its partner stays as it was written
 * ({@code \ud800}), and a byte that is not UTF-8 becomes {@code \xhh}. Within the text of an array, both have their
 * backslash doubled, so that the text stays JSON. Stateless.
 */
public final class JsonText {
    private JsonText() {}

    /** Where JSON begins in a text: after the byte order mark, if there is one. */
    public static int start(byte[] text) {
        boolean isMarked =
                text.length >= 3 && text[0] == (byte) 0xEF && text[1] == (byte) 0xBB && text[2] == (byte) 0xBF;
        return isMarked ? 3 : 0;
    }

    /** Appends the characters of a string's bytes {@code [from, to)}. */
    public static void unescape(byte[] data, int from, int to, TextSink out) {
        int i = from;
        while (i < to) {
            int plain = i;
            while (i < to && data[i] >= 0 && data[i] != '\\') {
                i++;
            }
            out.add(data, plain, i);
            if (i == to) {
                return;
            }
            if (data[i] != '\\') {
                i = copySequence(data, i, to, "\\x", out);
                continue;
            }
            int escape = data[i + 1];
            if (escape == 'u') {
                i = unescapeUnit(data, i, to, out);
                continue;
            }
            out.add(
                    switch (escape) {
                        case 'b' -> '\b';
                        case 'f' -> '\f';
                        case 'n' -> '\n';
                        case 'r' -> '\r';
                        case 't' -> '\t';
                        default -> escape;
                    });
            i += 2;
        }
    }

    /** Appends bytes without escapes. */
    public static void repair(byte[] data, int from, int to, TextSink out) {
        int i = from;
        while (i < to) {
            i = copySequence(data, i, to, "\\x", out);
        }
    }

    private static int unescapeUnit(byte[] data, int i, int to, TextSink out) {
        int unit = hex(data, i + 2);
        if (!Character.isSurrogate((char) unit)) {
            out.addCodePoint(unit);
            return i + 6;
        }
        if (Character.isHighSurrogate((char) unit) && i + 12 <= to && data[i + 6] == '\\' && data[i + 7] == 'u') {
            int low = hex(data, i + 8);
            if (Character.isLowSurrogate((char) low)) {
                out.addCodePoint(Character.toCodePoint((char) unit, (char) low));
                return i + 12;
            }
        }
        out.add(data, i, i + 6);
        return i + 6;
    }

    private static int hex(byte[] data, int at) {
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            value = value << 4 | Character.digit(data[i], 16);
        }
        return value;
    }

    private static int copySequence(byte[] data, int i, int to, String marker, TextSink out) {
        int size = Utf8.sequence(data, i, to);
        if (size == 0) {
            out.addAscii(marker);
            out.addHex(data[i]);
            return i + 1;
        }
        out.add(data, i, i + size);
        return i + size;
    }

    /**
     * Appends the text of an array that JSON readers would refuse, in a form that they accept: unescaped control
     * characters are escaped, bytes that are not UTF-8 are spelled out, and {@code NaN} and the infinities become
     * strings.
     */
    public static void repairArray(byte[] data, int from, int to, TextSink out) {
        boolean inString = false;
        int i = from;
        while (i < to) {
            int c = data[i];
            if (!inString) {
                if (c == 'N' || c == 'I' || (c == '-' && data[i + 1] == 'I')) {
                    int length = c == 'N' ? 3 : c == 'I' ? 8 : 9;
                    out.add('"');
                    out.add(data, i, i + length);
                    out.add('"');
                    i += length;
                } else {
                    inString = c == '"';
                    out.add(c);
                    i++;
                }
            } else if (c == '\\') {
                out.add(data, i, i + 2);
                i += 2;
            } else if (c >= 0 && c < ' ') {
                out.addAscii("\\u00");
                out.addHex(c);
                i++;
            } else {
                inString = c != '"';
                i = copySequence(data, i, to, "\\\\x", out);
            }
        }
    }

    /** Appends unescaped bytes as a JSON string, with quotes. */
    static void quote(byte[] data, int from, int to, TextSink out) {
        out.add('"');
        for (int i = from; i < to; i++) {
            int c = data[i];
            if (c == '"' || c == '\\') {
                out.add('\\');
                out.add(c);
            } else if (c >= 0 && c < ' ') {
                out.addAscii("\\u00");
                out.addHex(c);
            } else {
                out.add(c);
            }
        }
        out.add('"');
    }
}
