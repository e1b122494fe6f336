package io.cordwood.query.language;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import java.util.function.Function;

/** Conditions on text columns, whose values are cut into tokens. Stateless. */
final class TextConditions {
    private TextConditions() {}

    /** The condition that a text column contains the tokens of a word or phrase. */
    static Function<Column, Predicate> of(SearchValue.Text text, int position) {
        MatchQuery query = MatchQuery.parse(query(text, position));
        return column -> new Predicate.Match(column, query);
    }

    static Predicate of(ColumnTerm term) {
        return switch (term.value()) {
            case SearchValue.Text text -> of(text, term.position()).apply(term.column());
            case SearchValue.Range range -> KeywordConditions.range(term, range);
        };
    }

    private static String query(SearchValue.Text text, int position) {
        return switch (text) {
            case SearchValue.Exact(String exact) -> {
                requireToken(exact, text, position);
                yield phrase(exact);
            }
            case SearchValue.Prefix(String prefix) -> {
                requireToken(prefix, text, position);
                if (!Tokens.tail(prefix).isEmpty()) {
                    throw new SearchSyntaxException(
                            position,
                            "'*' in '%s' stands behind neither a letter nor a digit".formatted(WrittenValues.of(text)),
                            "remove it");
                }
                yield prefix(prefix);
            }
            case SearchValue.Pattern pattern ->
                throw new SearchSyntaxException(
                        position,
                        "'%s' has a wildcard that a text column does not take".formatted(WrittenValues.of(pattern)),
                        "put one '*' at the end of a word, or the text in double quotes");
            case SearchValue.Any _ -> throw new IllegalArgumentException("Every value matches");
        };
    }

    private static void requireToken(String text, SearchValue value, int position) {
        if (Tokens.head(text).isEmpty()) {
            throw new SearchSyntaxException(
                    position,
                    "'%s' has no letter or digit to search for".formatted(WrittenValues.of(value)),
                    "add a word, or remove it");
        }
    }

    /** The query of a phrase, in which a quote and a final asterisk separate tokens like any other such character. */
    private static String phrase(String text) {
        String spaced = text.replace('"', ' ');
        return "\"%s\"".formatted(spaced.endsWith("*") ? spaced + " " : spaced);
    }

    private static String prefix(String text) {
        return "\"%s*\"".formatted(text.replace('"', ' '));
    }
}
