package io.cordwood.query.language;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.language.SearchValue.Part;
import java.util.List;
import java.util.Optional;

/**
 * Conditions on keyword columns, whose whole value is one term. Stateless.
 *
 * <p>A value or prefix is compared by {@code match}, which ignores case. Where a query of {@code match} cannot express
 * it, because it has a quote or no token, it is compared as written.
 */
final class KeywordConditions {
    private static final char ESCAPE = '\\';

    private KeywordConditions() {}

    static Predicate of(ColumnTerm term) {
        return switch (term.value()) {
            case SearchValue.Exact(String text) -> isQuery(text) ? match(term, text, false) : term.equal(text);
            case SearchValue.Prefix(String text) ->
                isQuery(text) ? match(term, text, true) : like(term, literal(text) + "%");
            case SearchValue.Pattern(List<Part> parts) -> like(term, pattern(parts));
            case SearchValue.Range range -> range(term, range);
            case SearchValue.Any _ -> throw new IllegalArgumentException("Every value matches");
        };
    }

    /** A range of values by their UTF-8 bytes. */
    static Predicate range(ColumnTerm term, SearchValue.Range range) {
        return term.between(
                range.low().map(low -> new ColumnTerm.Bound(low, range.lowInclusive())),
                range.high().map(high -> new ColumnTerm.Bound(high, range.highInclusive())));
    }

    private static boolean isQuery(String text) {
        return text.indexOf('"') < 0 && !Tokens.head(text).isEmpty();
    }

    private static Predicate match(ColumnTerm term, String text, boolean isPrefix) {
        String tail = Tokens.tail(text);
        if (isPrefix ? tail.isEmpty() : !text.endsWith("*")) {
            return match(term, isPrefix ? text + "*" : text);
        }
        // In a query an asterisk can follow only a token, and a final one is always a wildcard
        String head = Tokens.head(text);
        String anyHead = "_".repeat(head.codePointCount(0, head.length()));
        return new Predicate.And(
                List.of(match(term, head + "*"), like(term, anyHead + literal(tail) + (isPrefix ? "%" : ""))));
    }

    private static Predicate match(ColumnTerm term, String phrase) {
        return new Predicate.Match(term.column(), MatchQuery.parse("\"%s\"".formatted(phrase)));
    }

    private static Predicate like(ColumnTerm term, String pattern) {
        return new Predicate.Like(term.column(), pattern, Optional.of(ESCAPE));
    }

    private static String pattern(List<Part> parts) {
        StringBuilder pattern = new StringBuilder();
        for (Part part : parts) {
            pattern.append(
                    switch (part) {
                        case Part.Literal(String text) -> literal(text);
                        case Part.AnyOne() -> "_";
                        case Part.AnyRun() -> "%";
                    });
        }
        return pattern.toString();
    }

    private static String literal(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
}
