package io.cordwood.standalone.search;

import java.util.List;

/**
 * The answer to a question. Immutable.
 *
 * @param rows the rows, oldest first
 * @param hasMore whether older rows match, too
 */
record FoundRows(List<SearchRow> rows, boolean hasMore) {
    FoundRows {
        rows = List.copyOf(rows);
    }
}
