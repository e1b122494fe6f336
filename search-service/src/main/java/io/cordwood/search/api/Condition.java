package io.cordwood.search.api;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.BoundSearch;
import io.cordwood.query.language.SearchBinder;
import io.cordwood.query.language.SearchExpression;
import io.cordwood.query.language.SearchParser;
import io.cordwood.query.language.SearchSyntaxException;
import io.cordwood.query.language.SearchTime;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.time.Instant;
import java.util.Optional;

/**
 * Which rows a question is about: the fields {@code query}, {@code from} and {@code to}. Immutable.
 *
 * @param search the search
 * @param time the times of the rows
 * @param now the time that {@code now} stands for
 */
record Condition(SearchExpression search, TimeRange time, Instant now) {
    /** The years 0 to 9999. */
    private static final long MIN_MICROS = -62_167_219_200_000_000L;

    private static final long MAX_MICROS = 253_402_300_799_999_999L;

    /** @throws ApiException if a field is malformed */
    static Condition of(RequestFields fields) {
        Instant now = Instant.now();
        TimeRange time = new TimeRange(
                time("from", fields.textOrNumber("from"), now).orElse(Long.MIN_VALUE),
                // Excluded
                time("to", fields.textOrNumber("to"), now)
                        .map(micros -> micros - 1)
                        .orElse(Long.MAX_VALUE));
        return of(fields.text("query").orElse(""), time, now);
    }

    /** The rows of a time that match a query of the search bar. @throws ApiException if it is malformed */
    static Condition of(String query, TimeRange time, Instant now) {
        try {
            return new Condition(SearchParser.parse(query), time, now);
        } catch (SearchSyntaxException e) {
            throw ApiException.inQuery(e.getMessage(), e.position(), e);
        }
    }

    private static Optional<Long> time(String name, Optional<String> text, Instant now) {
        return text.map(value -> SearchTime.parse(value, now)
                .map(SearchTime::micros)
                .filter(micros -> micros >= MIN_MICROS && micros <= MAX_MICROS)
                .orElseThrow(() -> ApiException.invalid("'%s' is '%s': %s".formatted(name, value, SearchTime.FORMS))));
    }

    /** The condition on the columns of a table. @throws ApiException if it does not fit them */
    ScanFilter filter(TableVersion table) {
        try {
            BoundSearch bound = new SearchBinder(VisibleColumns.of(table), now).bind(search);
            return new ScanFilter(bound.time(), bound.conjuncts(), true).within(time);
        } catch (SearchSyntaxException e) {
            throw ApiException.inQuery(e.getMessage(), e.position(), e);
        }
    }
}
