package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.ColumnTerm.Bound;
import java.time.Instant;
import java.util.Optional;

/** Conditions on timestamp columns. Stateless. */
final class TimeConditions {
    private TimeConditions() {}

    static Predicate of(ColumnTerm term, Instant now) {
        return switch (term.value()) {
            case SearchValue.Exact(String text) -> {
                TimeRange span = time(text, term, now).span();
                yield term.between(
                        Optional.of(new Bound(span.fromMicros(), true)), Optional.of(new Bound(span.toMicros(), true)));
            }
            case SearchValue.Range range ->
                term.between(
                        range.low().map(low -> new Bound(time(low, term, now).micros(), range.lowInclusive())),
                        range.high().map(high -> new Bound(time(high, term, now).micros(), range.highInclusive())));
            case SearchValue.Text _ -> throw term.noSuchValue(SearchTime.FORMS);
        };
    }

    private static SearchTime time(String text, ColumnTerm term, Instant now) {
        return SearchTime.parse(text, now)
                .orElseThrow(() -> term.noSuchValue(WrittenValues.shortened(text), SearchTime.FORMS));
    }
}
