package io.cordwood.logblock.write;

import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.sketch.DistinctSketch;
import io.cordwood.logblock.sketch.TokenFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A summary of a written LogBlock.
 *
 * @param sizeInBytes length of the object
 * @param rowCount number of rows
 * @param indexBytes bytes of the index, cold and hot part
 * @param time first and last time of the rows
 * @param splitOffsets starts of the row groups
 * @param columns metrics by field id
 * @param distinct sketches of the number of distinct values, by field id; only of some columns
 * @param tokenFilter filter of the terms in the LogBlock; empty if there are too many terms, or if it was not requested
 */
public record LogBlockSummary(
        long sizeInBytes,
        long rowCount,
        long indexBytes,
        TimeRange time,
        List<Long> splitOffsets,
        Map<Integer, ColumnMetrics> columns,
        Map<Integer, DistinctSketch> distinct,
        Optional<TokenFilter> tokenFilter) {
    public LogBlockSummary {
        splitOffsets = List.copyOf(splitOffsets);
        columns = Map.copyOf(columns);
        distinct = Map.copyOf(distinct);
    }
}
