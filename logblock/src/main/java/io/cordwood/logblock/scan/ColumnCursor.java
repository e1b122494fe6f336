package io.cordwood.logblock.scan;

import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.Gather;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A cursor that reads values of one column at ascending rows, column block by column block. Not thread-safe. */
public final class ColumnCursor {
    private final Column column;
    private final Optional<PageReader> reader;

    /** @param reader reader of the column; empty if the file lacks the column, whose values are then null */
    ColumnCursor(Column column, Optional<PageReader> reader) {
        this.column = column;
        this.reader = reader;
    }

    /**
     * Reads the values at {@code rows[from .. from + count)}. All rows are ascending; the same request may fetch values
     * of later rows.
     */
    public Vector read(int[] rows, int from, int count) throws IOException {
        if (reader.isEmpty() || count == 0) {
            return Vectors.allNull(column.type(), count);
        }
        ColumnPages pages = reader.get().pages();
        int[] requested = reader.get().pagesOf(rows, from, from + count);
        // The next rows often continue in the last page
        int last = requested[requested.length - 1];
        reader.get().forget(new RowRange(rows[from], Integer.MAX_VALUE));
        reader.get().fetchAhead(requested, rows, from);
        List<Vector> parts = new ArrayList<>(requested.length);
        int[] next = {from};
        reader.get().read(requested, last, (page, values) -> {
            int end = next[0];
            while (end < from + count && rows[end] < pages.endRow(page)) {
                end++;
            }
            parts.add(pick(values, rows, next[0], end, pages.firstRow(page)));
            next[0] = end;
        });
        return Vectors.concat(parts);
    }

    private static Vector pick(Vector values, int[] rows, int from, int to, int firstRow) {
        boolean inBuffer = values instanceof StringVector strings && !strings.isDictionary();
        if (to - from == values.length() && !inBuffer) {
            return values;
        }
        int[] positions = Arrays.copyOfRange(rows, from, to);
        for (int i = 0; i < positions.length; i++) {
            positions[i] -= firstRow;
        }
        return Gather.of(values, positions);
    }
}
