package io.cordwood.query.scan;

import io.cordwood.query.plan.TopN;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a scan wants of each LogBlock. Immutable.
 *
 * @param columns the columns of the table whose values are read
 * @param hasOtherValues whether other values of a row are asked for, which are computed from the row or its number
 * @param bin the time bin that is asked for and nothing else
 * @param limit how many rows of a split suffice
 * @param topN which rows of a split suffice
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

    /** Whether no more of a row is asked for than that it is there, or in which time bin. */
    boolean countsRows() {
        return columns.isEmpty() && !hasOtherValues && limit.isEmpty() && topN.isEmpty();
    }
}
