package io.cordwood.logblock.vector;

/** A vector of DOUBLE values. The value at a null position is undefined. */
public record DoubleVector(double[] values, int length, NullMask nulls) implements Vector {
    public DoubleVector(double... values) {
        this(values, values.length, NullMask.none());
    }
}
