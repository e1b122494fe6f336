package io.cordwood.query.search;

import static java.util.Objects.requireNonNull;

/**
 * Where a page of rows begins: at a row or after it, in the order of the page. Immutable.
 *
 * @param position position of that row
 * @param inclusive whether the page includes it
 * @param ties an estimate of the rows with the same time that earlier pages have; it only affects speed
 */
public record PageStart(RowPosition position, boolean inclusive, int ties) {
    public PageStart {
        requireNonNull(position, "position is null");
    }

    /** After a row of another page. */
    public static PageStart after(RowPosition position, int ties) {
        return new PageStart(position, false, ties);
    }

    /** At a row. */
    public static PageStart at(RowPosition position) {
        return new PageStart(position, true, 1);
    }

    /** Whether a row lies on the page or on a later one. */
    boolean admits(RowPosition row, boolean newestFirst) {
        int order = newestFirst ? position.compareTo(row) : row.compareTo(position);
        return order > 0 || (inclusive && order == 0);
    }
}
