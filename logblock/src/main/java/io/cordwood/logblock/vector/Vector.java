package io.cordwood.logblock.vector;

/**
 * Values of one column for a run of rows, as plain arrays. What the writer takes and the reader gives.
 *
 * <p>Arrays may be longer than {@link #length()} and are not copied: who hands a vector over no longer writes to it.
 * Thread-safe under that rule.
 */
public sealed interface Vector permits LongVector, DoubleVector, BooleanVector, StringVector, MapVector {
    int length();

    NullMask nulls();

    default boolean isNull(int position) {
        return nulls().isNull(position);
    }
}
