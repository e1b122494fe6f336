package io.cordwood.query.search;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Optional;

/**
 * A question for the first rows in order. Immutable.
 *
 * @param filter conditions on the rows
 * @param newestFirst whether the order is from new to old
 * @param limit maximum number of rows
 * @param start where the page begins; empty for the first page
 * @param columns the columns to return
 */
public record RowQuestion(
        ScanFilter filter, boolean newestFirst, int limit, Optional<PageStart> start, List<QueryColumn> columns) {
    public RowQuestion {
        columns = List.copyOf(columns);
        if (limit <= 0) {
            throw new IllegalArgumentException("The limit must be positive, not " + limit);
        }
    }
}
