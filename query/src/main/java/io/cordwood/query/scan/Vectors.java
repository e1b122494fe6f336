package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;

/** Builds vectors from other vectors. Stateless. */
public final class Vectors {
    private Vectors() {}

    /** A vector of nulls. */
    public static Vector nulls(ColumnType type, int length) {
        NullMask nulls = NullMask.all(length);
        return switch (type) {
            case VARCHAR -> nullStrings(length, nulls);
            case BIGINT, TIMESTAMP -> new LongVector(new long[length], length, nulls);
            case DOUBLE -> new DoubleVector(new double[length], length, nulls);
            case BOOLEAN -> new BooleanVector(new boolean[length], length, nulls);
            case MAP ->
                new MapVector(
                        new int[length + 1],
                        nullStrings(0, NullMask.none()),
                        nullStrings(0, NullMask.none()),
                        length,
                        nulls);
        };
    }

    private static StringVector nullStrings(int length, NullMask nulls) {
        return StringVector.plain(new byte[0], new int[length + 1], length, nulls);
    }

    /** A vector that repeats one value. */
    public static StringVector constant(String value, int length) {
        byte[] bytes = value.getBytes(UTF_8);
        return length == 0
                ? nullStrings(0, NullMask.none())
                : new StringVector(bytes, new int[] {0, bytes.length}, new int[length], length, NullMask.none());
    }

    /** Converts numbers to doubles; takes the second vector's value where the first is null. */
    public static DoubleVector doubles(Vector first, Vector second) {
        int length = first.length();
        double[] values = new double[length];
        NullMask nulls = new NullMask(length);
        for (int i = 0; i < length; i++) {
            if (!first.isNull(i)) {
                values[i] = number(first, i);
            } else if (!second.isNull(i)) {
                values[i] = number(second, i);
            } else {
                nulls.set(i);
            }
        }
        return new DoubleVector(values, length, nulls);
    }

    private static double number(Vector vector, int position) {
        return vector instanceof LongVector longs
                ? longs.values()[position]
                : ((DoubleVector) vector).values()[position];
    }

    /** The approximate memory of the values. */
    static long sizeInBytes(Vector vector) {
        return switch (vector) {
            case StringVector strings -> strings.bytes().length + (long) Integer.BYTES * strings.length();
            case LongVector longs -> (long) Long.BYTES * longs.length();
            case DoubleVector doubles -> (long) Double.BYTES * doubles.length();
            case BooleanVector booleans -> booleans.length();
            case MapVector maps ->
                sizeInBytes(maps.keys()) + sizeInBytes(maps.values()) + (long) Integer.BYTES * maps.length();
        };
    }

    /**
     * Converts values to text: the JSON form, for times RFC 3339 with microseconds. Takes the second vector's value
     * where the first is null.
     */
    public static StringVector texts(Vector first, ColumnType firstType, Vector second, ColumnType secondType) {
        String[] values = new String[first.length()];
        for (int i = 0; i < values.length; i++) {
            if (!first.isNull(i)) {
                values[i] = text(first, firstType, i);
            } else if (!second.isNull(i)) {
                values[i] = text(second, secondType, i);
            }
        }
        return StringVector.of(values);
    }

    /** The value at a position that is not null, as text: the result of {@code json_format(CAST(value AS JSON))}. */
    public static String text(Vector vector, ColumnType type, int position) {
        return switch (vector) {
            case StringVector strings -> strings.string(position);
            case LongVector longs when type == ColumnType.TIMESTAMP -> Timestamps.text(longs.values()[position]);
            case LongVector longs -> Long.toString(longs.values()[position]);
            case DoubleVector doubles -> Double.toString(doubles.values()[position]);
            case BooleanVector booleans -> Boolean.toString(booleans.values()[position]);
            case MapVector _ -> throw new IllegalArgumentException("A map has no text");
        };
    }
}
