package io.cordwood.record;

import io.cordwood.logblock.vector.Vector;
import java.util.List;

/**
 * Rows of one UTC day, sorted by (ts, offset, ordinal): what one LogBlock is written from.
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
