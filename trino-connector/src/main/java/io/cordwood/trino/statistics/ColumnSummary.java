package io.cordwood.trino.statistics;

import io.cordwood.logblock.sketch.DistinctSketch;
import io.trino.spi.statistics.DoubleRange;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * A summary of one stored column from manifests. Immutable.
 *
 * @param nulls number of rows without a value, if every file has it
 * @param bytes its compressed size in the files that have it
 * @param hasValues whether a row may have a value
 * @param distinct a sketch of its values; empty if a file with values has none
 * @param range range of its values in the units of the engine's statistics; empty if a file with values has none
 */
record ColumnSummary(
        OptionalLong nulls,
        long bytes,
        boolean hasValues,
        Optional<DistinctSketch> distinct,
        Optional<DoubleRange> range) {
    /** The summary of both parts together. */
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

    /** Combines a statistic of both parts; it is unknown if one part with values does not have it. */
    private <T> Optional<T> both(
            ColumnSummary other, Function<ColumnSummary, Optional<T>> said, BinaryOperator<T> together) {
        if (!hasValues || !other.hasValues) {
            return said.apply(hasValues ? this : other);
        }
        return said.apply(this).flatMap(mine -> said.apply(other).map(theirs -> together.apply(mine, theirs)));
    }
}
