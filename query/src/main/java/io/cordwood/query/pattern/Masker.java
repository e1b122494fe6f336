package io.cordwood.query.pattern;

import java.util.Arrays;

/**
 * Computes the signature of a line: its text, with a {@link Placeholder} for each number, time, address and id (Drain,
 * section III.B). White space and control characters become one space. Not thread-safe.
 *
 * <p>It looks at a bounded part of a line. What follows becomes {@link Placeholder#REST}.
 */
final class Masker {
    /** The maximum number of bytes of a line that are looked at. */
    static final int MAX_LINE_BYTES = 2048;

    /** The maximum number of words of a line that are looked at, as separated by spaces. */
    static final int MAX_WORDS = 128;

    private static final int SPACE = 0;
    private static final int OTHER = 1;
    private static final int LETTER = 2;
    private static final int HEX_LETTER = 3;
    private static final int DIGIT = 4;
    private static final byte[] KINDS = kinds();

    private static final int MIN_HEX = 6;
    private static final int CERTAIN_HEX = 8;
    private static final int MIN_ID = 8;
    private static final byte NO_UTF_8 = '?';

    /** A placeholder takes no more bytes than what it stands for, so a signature is no longer than its line. */
    private final byte[] signature = new byte[MAX_LINE_BYTES + 2];

    private int length;
    private byte[] line = {};
    private int end;

    private static byte[] kinds() {
        byte[] kinds = new byte[256];
        Arrays.fill(kinds, (byte) OTHER);
        Arrays.fill(kinds, 0x80, 0x100, (byte) LETTER);
        for (int c = 0; c <= ' '; c++) {
            kinds[c] = SPACE;
        }
        kinds[0x7F] = SPACE;
        Arrays.fill(kinds, 0xF8, 0x100, (byte) OTHER);
        for (char c = 'a'; c <= 'z'; c++) {
            byte kind = (byte) (c <= 'f' ? HEX_LETTER : LETTER);
            kinds[c] = kind;
            kinds[Character.toUpperCase(c)] = kind;
        }
        for (char c = '0'; c <= '9'; c++) {
            kinds[c] = DIGIT;
        }
        return kinds;
    }

    /** Computes the signature of the UTF-8 text {@code bytes[from .. to)}. */
    void mask(byte[] bytes, int from, int to) {
        line = bytes;
        end = Math.min(to, from + MAX_LINE_BYTES);
        length = 0;
        boolean isCut = to > end;
        int words = 0;
        boolean pendingSpace = false;
        int at = from;
        while (at < end) {
            int kind = KINDS[line[at] & 0xFF];
            if (kind == SPACE) {
                pendingSpace = length > 0;
                at++;
                continue;
            }
            if (pendingSpace) {
                if (++words == MAX_WORDS) {
                    isCut = true;
                    break;
                }
                signature[length++] = ' ';
                pendingSpace = false;
            }
            if (kind == OTHER) {
                at = other(at, from);
            } else {
                at = run(at);
            }
        }
        if (isCut) {
            signature[length++] = ' ';
            signature[length++] = Placeholder.REST.code();
        }
    }

    /** Copies a character that is neither letter nor digit; the sign of a number belongs to the number. */
    private int other(int at, int from) {
        byte c = line[at];
        boolean isSign = (c == '-' || c == '+')
                && at + 1 < end
                && kind(at + 1) == DIGIT
                && (at == from || kind(at - 1) < LETTER && line[at - 1] != ')');
        if (!isSign) {
            // No UTF-8 must be taken for a placeholder
            signature[length++] = Placeholder.isCode(c & 0xFF) ? NO_UTF_8 : c;
        }
        return at + 1;
    }

    private int kind(int at) {
        return at < end ? KINDS[line[at] & 0xFF] : SPACE;
    }

    /** Takes a run of letters and digits, or more if a longer parameter begins with it. Returns its end. */
    private int run(int from) {
        int at = from;
        int to = length;
        int kinds = 0;
        for (; at < end; at++) {
            byte c = line[at];
            int kind = KINDS[c & 0xFF];
            if (kind < LETTER) {
                break;
            }
            kinds |= 1 << kind;
            signature[to++] = c;
        }
        boolean hasDigit = (kinds & 1 << DIGIT) != 0;
        boolean isHex = (kinds & 1 << LETTER) == 0;
        if (hasDigit || isHex && at < end && (line[at] == ':' || line[at] == '-')) {
            return parameter(from, at, isHex, hasDigit);
        }
        if (at - from == Times.NAME_LENGTH && at + 1 < end && line[at] == ' ') {
            int time = Times.endAfterName(line, from, end);
            if (time > from) {
                return put(Placeholder.TIME, time);
            }
        }
        length = to;
        return at;
    }

    private int parameter(int from, int to, boolean isHex, boolean hasDigit) {
        int size = to - from;
        if (to < end) {
            char next = (char) line[to];
            if (next == '-' && isHex && size == 8) {
                int uuid = uuid(from);
                if (uuid > from) {
                    return put(Placeholder.UUID, uuid);
                }
            }
            if (next == ':' && isHex && size <= 4) {
                int address = Ipv6.end(line, from, end);
                if (address > from) {
                    return put(Placeholder.IP, address);
                }
            }
        }
        if (!hasDigit) {
            length += size;
            return to;
        }
        int changes = changes(from, to);
        if (changes == 0) {
            return number(from, to);
        }
        if (line[from] == '0' && size > 2 && (line[from + 1] | 0x20) == 'x') {
            return put(Placeholder.HEX, to);
        }
        if (isHex && size >= MIN_HEX && (changes > 1 || size >= CERTAIN_HEX)) {
            return put(Placeholder.HEX, to);
        }
        if (changes > 2 && size >= MIN_ID) {
            return put(Placeholder.ANY, to);
        }
        return copyWithoutDigits(from, to);
    }

    /** Number of changes between letters and digits. */
    private int changes(int from, int to) {
        int changes = 0;
        boolean last = kind(from) == DIGIT;
        for (int at = from + 1; at < to; at++) {
            boolean isDigit = kind(at) == DIGIT;
            changes += isDigit == last ? 0 : 1;
            last = isDigit;
        }
        return changes;
    }

    /** A run of digits: the beginning of a time, of an address, or of a number. */
    private int number(int from, int to) {
        if (to < end) {
            int time = Times.end(line, from, end);
            if (time > from) {
                return put(Placeholder.TIME, time);
            }
        }
        int at = to;
        int parts = 1;
        boolean isShort = to - from <= 3;
        while (at + 1 < end && line[at] == '.' && kind(at + 1) == DIGIT) {
            int part = at + 1;
            at = part;
            while (kind(at) == DIGIT) {
                at++;
            }
            parts++;
            isShort &= at - part <= 3;
        }
        if (parts == 4 && isShort) {
            return put(Placeholder.IP, at);
        }
        return put(Placeholder.NUMBER, exponent(at));
    }

    /** The end of a number whose digits end here, with its exponent. */
    private int exponent(int at) {
        if (at + 1 >= end || (line[at] | 0x20) != 'e') {
            return at;
        }
        int digits = line[at + 1] == '-' || line[at + 1] == '+' ? at + 2 : at + 1;
        int to = digits;
        while (kind(to) == DIGIT) {
            to++;
        }
        return to > digits && kind(to) < LETTER ? to : at;
    }

    private int uuid(int from) {
        int at = from;
        for (int group : new int[] {8, 4, 4, 4, 12}) {
            if (at > from) {
                if (at >= end || line[at] != '-') {
                    return from;
                }
                at++;
            }
            for (int i = 0; i < group; i++, at++) {
                if (at >= end || !isHexDigit(line[at])) {
                    return from;
                }
            }
        }
        return kind(at) < LETTER ? at : from;
    }

    static boolean isHexDigit(byte c) {
        return KINDS[c & 0xFF] >= HEX_LETTER;
    }

    private int put(Placeholder placeholder, int to) {
        signature[length++] = placeholder.code();
        return to;
    }

    private int copyWithoutDigits(int from, int to) {
        boolean inDigits = false;
        for (int at = from; at < to; at++) {
            boolean isDigit = kind(at) == DIGIT;
            if (!isDigit) {
                signature[length++] = line[at];
            } else if (!inDigits) {
                put(Placeholder.NUMBER, at);
            }
            inDigits = isDigit;
        }
        return to;
    }

    /** The signature of the last line, in the first {@link #length} bytes; valid until the next line. */
    byte[] signature() {
        return signature;
    }

    int length() {
        return length;
    }
}
