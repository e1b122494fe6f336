package io.cordwood.logblock.write;

import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.sketch.DistinctSketch;
import io.cordwood.logblock.sketch.TokenFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was written.
 *
 * @param sizeInBytes length of the object
 * @param rowCount number of rows
 * @param indexBytes bytes of the index, cold and hot part
 * @param time first and last time of the rows
 * @param splitOffsets where the row groups start
 * @param columns metrics by field id
 * @param distinct about how many distinct values columns have, by field id; not of each column
 * @param tokenFilter which terms the LogBlock may hold; empty if they are too many, or it was not asked for
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
