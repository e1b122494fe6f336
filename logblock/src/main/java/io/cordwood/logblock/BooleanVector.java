package io.cordwood.logblock;

/** BOOLEAN values. The value at a null position is undefined. */
@SuppressWarnings("ArrayRecordComponent") // plain arrays are the point of a vector
public record BooleanVector(boolean[] values, int length, NullMask nulls) implements Vector {
    public BooleanVector(boolean... values) {
        this(values, values.length, NullMask.none());
    }
}
