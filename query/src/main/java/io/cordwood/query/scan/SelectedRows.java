package io.cordwood.query.scan;

import io.cordwood.logblock.scan.RowSet;
import java.util.Arrays;

/** The rows of one LogBlock that a scan selected. Immutable. */
interface SelectedRows {
    int size();

    /** The first selected row at or after a row, or -1. */
    int nextRow(int row);

    /** The number of selected rows in {@code [from, end)}. */
    int count(int from, int end);

    static SelectedRows of(RowSet rows) {
        return new SelectedRows() {
            @Override
            public int size() {
                return rows.cardinality();
            }

            @Override
            public int nextRow(int row) {
                return rows.nextRow(row);
            }

            @Override
            public int count(int from, int end) {
                return rows.cardinality(from, end);
            }
        };
    }

    /**
     * Wraps row numbers.
     *
     * @param rows ascending; the caller no longer modifies them
     */
    static SelectedRows of(int[] rows) {
        return new SelectedRows() {
            @Override
            public int size() {
                return rows.length;
            }

            @Override
            public int nextRow(int row) {
                int position = position(row);
                return position == rows.length ? -1 : rows[position];
            }

            @Override
            public int count(int from, int end) {
                return Math.max(0, position(end) - position(from));
            }

            /** The number of selected rows before a row. */
            private int position(int row) {
                int found = Arrays.binarySearch(rows, row);
                return found < 0 ? -found - 1 : found;
            }
        };
    }
}
