package io.cordwood.logblock.vector;

/** A vector of BOOLEAN values. The value at a null position is undefined. */
public record BooleanVector(boolean[] values, int length, NullMask nulls) implements Vector {
    public BooleanVector(boolean... values) {
        this(values, values.length, NullMask.none());
    }
}
