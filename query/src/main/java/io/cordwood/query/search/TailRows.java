package io.cordwood.query.search;

import io.cordwood.query.table.QueryColumn;
import java.util.List;

/**
 * Rows that a {@link Tail} has received. Immutable.
 *
 * @param columns the columns of the rows, which may change as the table gets new ones
 * @param rows the rows, in time order
 * @param dropped number of rows before these that were dropped, because they were not taken in time
 * @param skipped number of records before these, of any tenant, that Kafka removed before they were read
 */
public record TailRows(List<QueryColumn> columns, RowChunk rows, long dropped, long skipped) {
    public TailRows {
        columns = List.copyOf(columns);
    }
}
