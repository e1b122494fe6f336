package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A scanner of JSON (RFC 8259) in a byte array that allocates no object per token. Not thread-safe.
 *
 * <p>Fields describe the current token until the next one is read; its bytes stay in place. Beyond the grammar the
 * scanner accepts the tokens {@code NaN}, {@code Infinity} and {@code -Infinity}, and in strings unescaped control
 * characters and ill-formed UTF-8; {@link JsonText} defines their conversion.
 */
public final class JsonScanner {
    public static final int MAX_DEPTH = 1000;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final byte[] NULL = "null".getBytes(US_ASCII);
    private static final byte[] NAN = "NaN".getBytes(US_ASCII);
    private static final byte[] INFINITY = "Infinity".getBytes(US_ASCII);

    /** The kind of a value. */
    public enum Token {
        STRING,
        /** An integer of at most 64 bits; see {@link #integer()}. */
        INTEGER,
        BIG_INTEGER,
        FRACTION,
        NON_FINITE,
        TRUE,
        FALSE,
        NULL,
        OBJECT,
        ARRAY
    }

    private final boolean[] inObject = new boolean[MAX_DEPTH + 1];

    private byte[] data = new byte[0];
    private int end;
    private int position;

    private int start;
    private int stop;
    private long integer;
    private boolean escaped;
    private boolean nonAscii;
    private boolean liberties;

    public void reset(byte[] newData, int from, int to) {
        data = newData;
        position = from;
        end = to;
    }

    public byte[] data() {
        return data;
    }

    public int position() {
        return position;
    }

    public void position(int newPosition) {
        position = newPosition;
    }

    /** The start of the token; of a string, the byte after its quote. */
    public int start() {
        return start;
    }

    /** The end of the token; of a string, its closing quote. */
    public int stop() {
        return stop;
    }

    /** Value of the last {@link Token#INTEGER}. */
    public long integer() {
        return integer;
    }

    /** Whether the last string has escapes. */
    public boolean isEscaped() {
        return escaped;
    }

    /** Whether the last string, or a string of the last array, is not plain ASCII. */
    public boolean isNonAscii() {
        return nonAscii;
    }

    /**
     * Whether the last array has content that other JSON readers refuse: control characters in strings, or {@code NaN}.
     */
    public boolean hasLiberties() {
        return liberties;
    }

    /** Moves past white space to the next byte and returns it, or -1 at the end. */
    public int peek() {
        int i = position;
        while (i < end) {
            int c = data[i];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                position = i;
                return c & 0xFF;
            }
            i++;
        }
        position = i;
        return -1;
    }

    /** Reads the byte that must come next, white space aside. */
    public void expect(int expected) throws UndecodableRecordException {
        int c = peek();
        if (c != expected) {
            throw unexpected("'" + (char) expected + "'");
        }
        position++;
    }

    /** If this name, its closing quote and a colon follow, moves past them. */
    public boolean skipName(byte[] name) {
        int from = position;
        int to = from + name.length;
        if (to + 1 < end
                && data[to] == '"'
                && data[to + 1] == ':'
                && Arrays.equals(data, from, to, name, 0, name.length)) {
            position = to + 2;
            return true;
        }
        return false;
    }

    /** Reads a value up to its end; of an object or array, only the opening bracket. */
    public Token value() throws UndecodableRecordException {
        int c = peek();
        switch (c) {
            case '"' -> {
                position++;
                string();
                return Token.STRING;
            }
            case '{' -> {
                start = position++;
                return Token.OBJECT;
            }
            case '[' -> {
                start = position++;
                return Token.ARRAY;
            }
            case 't' -> {
                return literal(TRUE, Token.TRUE);
            }
            case 'f' -> {
                return literal(FALSE, Token.FALSE);
            }
            case 'n' -> {
                return literal(NULL, Token.NULL);
            }
            case 'N' -> {
                return literal(NAN, Token.NON_FINITE);
            }
            case 'I' -> {
                return literal(INFINITY, Token.NON_FINITE);
            }
            default -> {
                return number();
            }
        }
    }

    /** Reads a string after its opening quote. */
    public void string() throws UndecodableRecordException {
        byte[] bytes = data;
        int i = position;
        start = i;
        escaped = false;
        nonAscii = false;
        while (i + 8 <= end) {
            long word = (long) LONG.get(bytes, i);
            long found = special(word) | (word & HIGH_BITS);
            if (found != 0) {
                i += Long.numberOfTrailingZeros(found) >>> 3;
                break;
            }
            i += 8;
        }
        if (i < end && bytes[i] == '"') {
            stop = i;
            position = i + 1;
            return;
        }
        stringFrom(i);
    }

    /**
     * The high bit of each byte of a word that is a quote, a backslash or a control character. Bits above the lowest
     * match may be false positives.
     */
    private static long special(long word) {
        long quotes = word ^ QUOTES;
        long backslashes = word ^ BACKSLASHES;
        return (((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - SPACES) & ~word))
                & HIGH_BITS;
    }

    /** Reads the rest of a string that is not plain, or ends near the end of the data. */
    private void stringFrom(int from) throws UndecodableRecordException {
        byte[] bytes = data;
        int i = from;
        while (i < end) {
            if (i + 8 <= end) {
                long word = (long) LONG.get(bytes, i);
                long found = special(word);
                int plain = Long.numberOfTrailingZeros(found) >>> 3;
                long highBits = word & HIGH_BITS;
                if (found == 0) {
                    nonAscii |= highBits != 0;
                    i += 8;
                    continue;
                }
                nonAscii |= (highBits & ((1L << (plain * 8)) - 1)) != 0;
                i += plain;
            }
            int c = bytes[i];
            if (c == '"') {
                stop = i;
                position = i + 1;
                return;
            }
            if (c == '\\') {
                escaped = true;
                i = afterEscape(i);
            } else {
                nonAscii |= c < 0;
                liberties |= c >= 0 && c < ' ';
                i++;
            }
        }
        throw malformed("A string is not closed", start);
    }

    private int afterEscape(int backslash) throws UndecodableRecordException {
        int i = backslash + 1;
        int c = i < end ? data[i] : -1;
        switch (c) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return i + 1;
            }
            case 'u' -> {
                for (int k = i + 1; k <= i + 4; k++) {
                    if (k >= end || Character.digit(data[k], 16) < 0) {
                        throw malformed("An escape \\u lacks its four hexadecimal digits", backslash);
                    }
                }
                return i + 5;
            }
            default -> throw malformed("Unknown escape in a string", backslash);
        }
    }

    private Token literal(byte[] text, Token token) throws UndecodableRecordException {
        int to = position + text.length;
        if (to > end || !Arrays.equals(data, position, to, text, 0, text.length)) {
            throw unexpected("a value");
        }
        start = position;
        stop = to;
        position = to;
        return token;
    }

    private Token number() throws UndecodableRecordException {
        byte[] bytes = data;
        int i = position;
        start = i;
        boolean negative = i < end && bytes[i] == '-';
        if (negative) {
            i++;
            if (i < end && bytes[i] == 'I') {
                position = i;
                literal(INFINITY, Token.NON_FINITE);
                start = i - 1;
                return Token.NON_FINITE;
            }
        }
        int first = i;
        long sum = 0;
        while (i < end && isDigit(bytes[i])) {
            // Overflows past 18 digits; distinguished below.
            sum = sum * 10 + (bytes[i] - '0');
            i++;
        }
        int digits = i - first;
        if (digits == 0) {
            throw unexpected("a value");
        }
        if (digits > 1 && bytes[first] == '0') {
            throw malformed("A number begins with a superfluous 0", start);
        }
        Token token = Token.INTEGER;
        if (i < end && bytes[i] == '.') {
            i = afterDigits(i + 1);
            token = Token.FRACTION;
        }
        if (i < end && (bytes[i] == 'e' || bytes[i] == 'E')) {
            i++;
            if (i < end && (bytes[i] == '+' || bytes[i] == '-')) {
                i++;
            }
            i = afterDigits(i);
            token = Token.FRACTION;
        }
        stop = i;
        position = i;
        if (token == Token.INTEGER) {
            if (digits > 18 && !fits(first, digits, negative)) {
                return Token.BIG_INTEGER;
            }
            integer = negative ? -sum : sum;
        }
        return token;
    }

    private int afterDigits(int from) throws UndecodableRecordException {
        int i = from;
        while (i < end && isDigit(data[i])) {
            i++;
        }
        if (i == from) {
            throw malformed("A number lacks digits", start);
        }
        return i;
    }

    /** Whether digits without a leading zero fit 64 bits, including the sign. */
    private boolean fits(int first, int digits, boolean negative) {
        if (digits > 19) {
            return false;
        }
        String largest = negative ? "9223372036854775808" : "9223372036854775807";
        for (int i = 0; i < digits; i++) {
            int difference = data[first + i] - largest.charAt(i);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return true;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /**
     * Reads and validates the rest of an object or array after its opening bracket. The object or array is then the
     * current token.
     *
     * @param open position of the opening bracket
     * @param depth nesting depth
     */
    public void skipContainer(int open, int depth) throws UndecodableRecordException {
        int level = depth;
        boolean anyNonAscii = false;
        liberties = false;
        inObject[level] = data[open] == '{';
        boolean atStart = true;
        while (true) {
            boolean closed = false;
            int c = peek();
            if (atStart && c == (inObject[level] ? '}' : ']')) {
                position++;
                closed = true;
            } else {
                if (inObject[level]) {
                    expect('"');
                    string();
                    anyNonAscii |= nonAscii;
                    expect(':');
                }
                Token token = value();
                if (token == Token.OBJECT || token == Token.ARRAY) {
                    level = deeper(level);
                    inObject[level] = token == Token.OBJECT;
                    atStart = true;
                    continue;
                }
                anyNonAscii |= token == Token.STRING && nonAscii;
                liberties |= token == Token.NON_FINITE;
            }
            while (true) {
                if (closed) {
                    if (level == depth) {
                        start = open;
                        stop = position;
                        nonAscii = anyNonAscii;
                        return;
                    }
                    level--;
                }
                c = peek();
                if (c == ',') {
                    position++;
                    break;
                }
                if (c != (inObject[level] ? '}' : ']')) {
                    throw unexpected(inObject[level] ? "',' or '}'" : "',' or ']'");
                }
                position++;
                closed = true;
            }
            atStart = false;
        }
    }

    /** One level deeper. */
    public int deeper(int depth) throws UndecodableRecordException {
        if (depth == MAX_DEPTH) {
            throw new UndecodableRecordException(
                    Reason.TOO_DEEP,
                    "Objects and arrays are nested more than %d levels deep at byte %d".formatted(MAX_DEPTH, position));
        }
        return depth + 1;
    }

    /** Checks that only white space is left. */
    public void expectEnd() throws UndecodableRecordException {
        if (peek() >= 0) {
            throw unexpected("the end");
        }
    }

    public UndecodableRecordException unexpected(String expected) {
        if (position >= end) {
            return malformed("Expected " + expected + ", but the value ends", position);
        }
        int c = data[position] & 0xFF;
        String found = c > ' ' && c < 0x7F ? "'" + (char) c + "'" : "byte 0x%02x".formatted(c);
        return malformed("Expected " + expected + ", found " + found, position);
    }

    UndecodableRecordException malformed(String what, int at) {
        return new UndecodableRecordException(Reason.MALFORMED_JSON, what + " at byte " + at);
    }
}
