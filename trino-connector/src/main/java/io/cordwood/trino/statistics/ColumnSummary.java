package io.cordwood.trino.statistics;

import io.cordwood.logblock.sketch.DistinctSketch;
import io.trino.spi.statistics.DoubleRange;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * What manifests say of one stored column. Immutable.
 *
 * @param nulls how many rows have no value, if every file says
 * @param bytes its length in the files, compressed, as far as they say
 * @param hasValues whether a row may have a value
 * @param distinct a sketch of its values; empty if a file with values has none
 * @param range of its values, as the engine's statistics count them; empty if a file with values does not say
 */
record ColumnSummary(
        OptionalLong nulls,
        long bytes,
        boolean hasValues,
        Optional<DistinctSketch> distinct,
        Optional<DoubleRange> range) {
    /** Of both files together. */
    ColumnSummary and(ColumnSummary other) {
        return new ColumnSummary(
                nulls.isPresent() && other.nulls.isPresent()
                        ? OptionalLong.of(nulls.getAsLong() + other.nulls.getAsLong())
                        : OptionalLong.empty(),
                bytes + other.bytes,
                hasValues || other.hasValues,
                both(other, ColumnSummary::distinct, DistinctSketch::and),
                both(other, ColumnSummary::range, DoubleRange::union));
    }

    /** What both files say together; what one does not say is not known, unless it has no values. */
    private <T> Optional<T> both(
            ColumnSummary other, Function<ColumnSummary, Optional<T>> said, BinaryOperator<T> together) {
        if (!hasValues || !other.hasValues) {
            return said.apply(hasValues ? this : other);
        }
        return said.apply(this).flatMap(mine -> said.apply(other).map(theirs -> together.apply(mine, theirs)));
    }
}
