package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** A parser of JSON numbers to doubles. Stateless. */
public final class JsonNumbers {
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };
    private static final int EXACT_DIGITS = 15;

    private JsonNumbers() {}

    /** The nearest double; infinite if the number is too large for one. */
    public static double toDouble(byte[] text, int from, int to) {
        // With up to 15 digits and an exact power of ten, one division gives the nearest double.
        long digits = 0;
        int count = 0;
        int fraction = 0;
        boolean afterPoint = false;
        boolean negative = text[from] == '-';
        for (int i = negative ? from + 1 : from; i < to; i++) {
            int c = text[i];
            if (c == '.') {
                afterPoint = true;
            } else if (c < '0' || c > '9' || ++count > EXACT_DIGITS) {
                return Double.parseDouble(string(text, from, to));
            } else {
                digits = digits * 10 + (c - '0');
                fraction += afterPoint ? 1 : 0;
            }
        }
        double magnitude = digits / POWERS_OF_TEN[fraction];
        return negative ? -magnitude : magnitude;
    }

    /** Whether a double represents an integer exactly. */
    public static boolean isExact(long integer) {
        double number = integer;
        return number != 0x1p63 && (long) number == integer;
    }

    public static String string(byte[] text, int from, int to) {
        return new String(text, from, to - from, ISO_8859_1);
    }
}
