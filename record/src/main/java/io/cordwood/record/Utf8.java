package io.cordwood.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Well-formedness of UTF-8, as Unicode's table 3-7 has it: no overlong forms, no surrogates, nothing past U+10FFFF. */
final class Utf8 {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /** Whether the bytes {@code [from, to)} are well-formed. */
    static boolean isValid(byte[] bytes, int from, int to) {
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

    /** Length of the well-formed sequence at {@code i}, or 0 if what stands there is ill-formed. */
    static int sequence(byte[] bytes, int i, int to) {
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
}
