package io.cordwood.standalone.tail;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.policy.TextColumns;
import io.cordwood.standalone.error.CordwoodException;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code match(column, 'query')} on the rows of a tail, with the same meaning as in SQL. While the table lacks the
 * column, the query applies to the member of that name. Immutable.
 *
 * @param column name of the column
 * @param query the query
 */
public record TextMatch(String column, MatchQuery query) {
    /**
     * The condition on rows of a table; always true if it lacks the column.
     *
     * @throws CordwoodException if the column is not text
     */
    Predicate predicate(LogBlockSchema schema) {
        Optional<Column> found = schema.column(column);
        if (found.isEmpty()) {
            return Predicate.TRUE;
        }
        if (found.get().type() != ColumnType.VARCHAR || found.get().index() == IndexKind.NONE) {
            throw new CordwoodException("--match: column %s is %s, not text"
                    .formatted(column, found.get().type().name().toLowerCase(Locale.ROOT)));
        }
        return new Predicate.Match(found.get(), query);
    }

    /** Whether a row for which {@link #predicate} is true matches. */
    boolean admits(LogBlockSchema schema, TailRow row) {
        if (schema.column(column).isPresent()) {
            return true;
        }
        String value = row.attributes().get(column);
        if (value == null) {
            return false;
        }
        return TextColumns.DEFAULT.isText(column) ? query.matchesText(value) : query.matchesKeyword(value);
    }
}
