package io.cordwood.record.assemble;

import io.cordwood.logblock.vector.Vector;
import java.util.List;

/**
 * The rows of one UTC day, sorted by (ts, offset, ordinal): the input of one LogBlock.
 *
 * @param epochDay days since 1970-01-01
 * @param columns one vector for each column of the table's schema, in its order
 * @param rows number of rows
 */
public record DayRows(int epochDay, List<Vector> columns, int rows) {
    public DayRows {
        columns = List.copyOf(columns);
    }
}
