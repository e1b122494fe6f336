package io.cordwood.logblock.vector;

/** A vector of BIGINT values, or of microseconds of a TIMESTAMP column. The value at a null position is undefined. */
public record LongVector(long[] values, int length, NullMask nulls) implements Vector {
    public LongVector(long... values) {
        this(values, values.length, NullMask.none());
    }
}
