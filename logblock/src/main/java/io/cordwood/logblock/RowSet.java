package io.cordwood.logblock;

/** A set of row numbers of one LogBlock. Immutable once handed out. */
public interface RowSet {
    int cardinality();

    /** The first row at or after {@code row}, or -1. */
    int nextRow(int row);

    /** The last row at or before {@code row}, or -1. */
    int previousRow(int row);

    /** All rows, ascending. */
    int[] toArray();
}
