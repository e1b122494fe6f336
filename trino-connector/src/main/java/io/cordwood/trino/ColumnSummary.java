package io.cordwood.trino;

import io.trino.spi.statistics.DoubleRange;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What manifests say of one stored column. Immutable.
 *
 * @param nulls how many rows have no value, if every file says
 * @param bytes its length in the files, compressed, as far as they say
 * @param hasValues whether a row may have a value
 * @param range of its values, as the engine's statistics count them; empty if a file with values does not say
 */
record ColumnSummary(OptionalLong nulls, long bytes, boolean hasValues, Optional<DoubleRange> range) {
    /** Of both files together. */
    ColumnSummary and(ColumnSummary other) {
        return new ColumnSummary(
                nulls.isPresent() && other.nulls.isPresent()
                        ? OptionalLong.of(nulls.getAsLong() + other.nulls.getAsLong())
                        : OptionalLong.empty(),
                bytes + other.bytes,
                hasValues || other.hasValues,
                bothRanges(other));
    }

    private Optional<DoubleRange> bothRanges(ColumnSummary other) {
        if (!hasValues || !other.hasValues) {
            return hasValues ? range : other.range;
        }
        return range.flatMap(mine -> other.range.map(theirs -> DoubleRange.union(mine, theirs)));
    }
}
