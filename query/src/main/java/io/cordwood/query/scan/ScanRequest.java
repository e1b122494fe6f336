package io.cordwood.query.scan;

import io.cordwood.query.plan.TopN;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A scan's request to each of its LogBlocks. Immutable.
 *
 * @param columns the columns of the table whose values are read
 * @param hasOtherValues whether other values are requested, computed from the row or its number
 * @param bin the time bin, if nothing else is requested
 * @param limit number of rows of a split that suffice
 * @param topN the rows of a split that suffice
 */
public record ScanRequest(
        List<QueryColumn> columns,
        boolean hasOtherValues,
        Optional<TimeBin> bin,
        OptionalLong limit,
        Optional<TopN> topN) {
    public ScanRequest {
        columns = List.copyOf(columns);
    }

    /** Whether rows are only counted, in total or by time bin. */
    boolean countsRows() {
        return columns.isEmpty() && !hasOtherValues && limit.isEmpty() && topN.isEmpty();
    }
}
