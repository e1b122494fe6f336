package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.ColumnType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The smallest and largest value of a run, in Parquet's binary form: eight little-endian bytes for numbers and
 * timestamps, one byte for booleans, UTF-8 for text. Immutable.
 */
public record MinMax(byte[] min, byte[] max) {
    static MinMax ofLongs(long min, long max) {
        return new MinMax(longBytes(min), longBytes(max));
    }

    static MinMax ofDoubles(double min, double max) {
        // The bounds cover both zeros, which are equal, because some readers order them.
        return new MinMax(
                longBytes(Double.doubleToRawLongBits(min == 0 ? -0.0 : min)),
                longBytes(Double.doubleToRawLongBits(max == 0 ? 0.0 : max)));
    }

    static MinMax ofBooleans(boolean min, boolean max) {
        return new MinMax(new byte[] {(byte) (min ? 1 : 0)}, new byte[] {(byte) (max ? 1 : 0)});
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    MinMax merge(MinMax other, ColumnType type) {
        return new MinMax(
                compare(type, min, other.min) <= 0 ? min : other.min,
                compare(type, max, other.max) >= 0 ? max : other.max);
    }

    static int compare(ColumnType type, byte[] left, byte[] right) {
        return switch (type) {
            case BIGINT, TIMESTAMP -> Long.compare(toLong(left), toLong(right));
            case DOUBLE ->
                Double.compare(Double.longBitsToDouble(toLong(left)), Double.longBitsToDouble(toLong(right)));
            case BOOLEAN -> Byte.compare(left[0], right[0]);
            case VARCHAR, MAP -> Arrays.compareUnsigned(left, right);
        };
    }

    private static long toLong(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** The value as {@code Long}, {@code Double}, {@code Boolean} or {@code String}. */
    public static Object value(ColumnType type, byte[] bytes) {
        return switch (type) {
            case BIGINT, TIMESTAMP -> toLong(bytes);
            case DOUBLE -> Double.longBitsToDouble(toLong(bytes));
            case BOOLEAN -> bytes[0] != 0;
            case VARCHAR, MAP -> new String(bytes, UTF_8);
        };
    }

    /**
     * Truncates bounds of text to {@code length} code points. They remain a lower and an upper bound; empty if no upper
     * bound is that short.
     */
    MinMax truncate(int length) {
        return new MinMax(truncateDown(min, length), truncateUp(max, length));
    }

    private static byte[] truncateDown(byte[] utf8, int length) {
        return Arrays.copyOf(utf8, cut(utf8, length));
    }

    private static byte[] truncateUp(byte[] utf8, int length) {
        int end = cut(utf8, length);
        if (end == utf8.length) {
            return utf8;
        }
        int[] codePoints = new String(utf8, 0, end, UTF_8).codePoints().toArray();
        for (int i = codePoints.length - 1; i >= 0; i--) {
            int next = codePoints[i] + 1;
            if (next == Character.MIN_SURROGATE) {
                next = Character.MAX_SURROGATE + 1;
            }
            if (next <= Character.MAX_CODE_POINT) {
                codePoints[i] = next;
                return new String(codePoints, 0, i + 1).getBytes(UTF_8);
            }
        }
        return utf8;
    }

    /** The end of the first {@code length} code points. */
    private static int cut(byte[] utf8, int length) {
        int seen = 0;
        for (int i = 0; i < utf8.length; i++) {
            if ((utf8[i] & 0xC0) != 0x80 && ++seen > length) {
                return i;
            }
        }
        return utf8.length;
    }
}
