package io.cordwood.logblock.vector;

/**
 * Values of one column for a run of rows, as plain arrays. Writers take vectors and readers return them.
 *
 * <p>Arrays may be longer than {@link #length()} and are not copied: the creator of a vector must not modify it after
 * passing it on. Thread-safe under that rule.
 */
public sealed interface Vector permits LongVector, DoubleVector, BooleanVector, StringVector, MapVector {
    int length();

    NullMask nulls();

    default boolean isNull(int position) {
        return nulls().isNull(position);
    }
}
