package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import java.util.Arrays;

/**
 * Reads the labels of a stream as Prometheus writes them: {@code {app="x", host='y'}}. Strings have the escapes of Go;
 * between backticks they have none. Not thread-safe.
 */
final class LabelText {
    private static final int NO_BYTE = -1;

    private byte[] data = new byte[0];
    private int begin;
    private int position;
    private int end;
    private byte[] name = new byte[64];
    private byte[] value = new byte[256];
    private int length;

    /**
     * Adds the labels to others.
     *
     * @throws RefusedException if the bytes are no labels
     */
    void read(byte[] newData, int from, int to, Labels target) {
        data = newData;
        begin = from;
        position = from;
        end = to;
        expect('{');
        while (peek() != '}') {
            int nameLength = name();
            expect('=');
            value = string(value);
            target.add(name, nameLength, value, length);
            if (peek() == ',') {
                position++;
            } else if (peek() != '}') {
                throw unexpected("a comma or '}'");
            }
        }
        position++;
        if (peek() != NO_BYTE) {
            throw unexpected("the end");
        }
    }

    private int peek() {
        while (position < end && (data[position] == ' ' || data[position] == '\t' || data[position] == '\n')) {
            position++;
        }
        return position < end ? data[position] & 0xFF : NO_BYTE;
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw unexpected("'" + wanted + "'");
        }
        position++;
    }

    private int name() {
        int first = peek();
        if (first == '"' || first == '\'' || first == '`') {
            name = string(name);
            return length;
        }
        int start = position;
        while (position < end && isOfName(data[position])) {
            position++;
        }
        if (position == start) {
            throw unexpected("a name");
        }
        int size = position - start;
        if (name.length < size) {
            name = new byte[size];
        }
        System.arraycopy(data, start, name, 0, size);
        return size;
    }

    private static boolean isOfName(byte c) {
        return c < 0 || (c > ' ' && "{}=!~,\"'`\\".indexOf(c) < 0);
    }

    /** Reads a string to memory that may have to grow; its length goes to {@link #length}. */
    private byte[] string(byte[] memory) {
        int quote = peek();
        if (quote != '"' && quote != '\'' && quote != '`') {
            throw unexpected("a string");
        }
        position++;
        // What an escape stands for is not longer than the escape
        byte[] out = memory.length < end - position ? new byte[end - position] : memory;
        length = 0;
        while (position < end) {
            byte c = data[position++];
            if ((c & 0xFF) == quote) {
                return out;
            }
            if (c == '\\' && quote != '`') {
                escape(out);
            } else {
                out[length++] = c;
            }
        }
        throw unexpected("the end of the string");
    }

    private void escape(byte[] out) {
        int c = position < end ? data[position++] : NO_BYTE;
        switch (c) {
            case 'a' -> out[length++] = 7;
            case 'b' -> out[length++] = '\b';
            case 'f' -> out[length++] = '\f';
            case 'n' -> out[length++] = '\n';
            case 'r' -> out[length++] = '\r';
            case 't' -> out[length++] = '\t';
            case 'v' -> out[length++] = 11;
            case '\\', '\'', '"' -> out[length++] = (byte) c;
            case 'x' -> out[length++] = (byte) number(2, 16);
            case 'u' -> codePoint(out, number(4, 16));
            case 'U' -> codePoint(out, number(8, 16));
            case '0', '1', '2', '3' -> {
                position--;
                out[length++] = (byte) number(3, 8);
            }
            default -> {
                position--;
                throw unexpected("an escape");
            }
        }
    }

    private int number(int digits, int radix) {
        long number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = position < end ? Character.digit(data[position], radix) : NO_BYTE;
            if (digit < 0) {
                throw unexpected("a digit");
            }
            number = number * radix + digit;
            position++;
        }
        return number > Character.MAX_CODE_POINT ? NO_BYTE : (int) number;
    }

    private void codePoint(byte[] out, int codePoint) {
        if (codePoint < 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE)) {
            throw unexpected("a character");
        }
        byte[] encoded = Character.toString(codePoint).getBytes(UTF_8);
        System.arraycopy(encoded, 0, out, length, encoded.length);
        length += encoded.length;
    }

    private RefusedException unexpected(String expected) {
        int shown = Math.min(position, end);
        return RefusedException.malformed("expected %s in the labels after '%s'"
                .formatted(expected, new String(Arrays.copyOfRange(data, Math.max(begin, shown - 60), shown), UTF_8)));
    }
}
