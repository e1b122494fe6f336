package io.cordwood.query.language;

import io.cordwood.query.language.SearchExpression.ColumnReference;
import io.cordwood.query.language.SearchValue.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes a tree as a text, in one of the possible ways, and notes where each leaf stands. Not thread-safe.
 */
final class SearchPrinter {
    /** The place of a word, with the characters that it must escape everywhere and as its first one. */
    private enum Place {
        ALONE(":*?", "-"),
        BEHIND_COLUMN("*?", "<>[{"),
        IN_GROUP("*?", "-<>[{");

        private final String needed;
        private final String neededFirst;

        Place(String needed, String neededFirst) {
            this.needed = needed;
            this.neededFirst = neededFirst;
        }
    }

    private static final Set<String> OPERATORS = Set.of("OR", "AND", "NOT");

    private final StringBuilder out = new StringBuilder();
    private final Random random;

    SearchPrinter(long seed) {
        this.random = new Random(seed);
    }

    /** Writes the tree, and returns it with the positions of its leaves in the text. */
    SearchExpression write(SearchExpression expression) {
        space();
        SearchExpression written = expression(expression, Optional.empty());
        space();
        return written;
    }

    String text() {
        return out.toString();
    }

    private SearchExpression expression(SearchExpression expression, Optional<ColumnReference> group) {
        return switch (expression) {
            case SearchExpression.And(List<SearchExpression> terms) ->
                new SearchExpression.And(joined(terms, "AND", group));
            case SearchExpression.Or(List<SearchExpression> terms) ->
                new SearchExpression.Or(joined(terms, "OR", group));
            default -> factor(expression, group);
        };
    }

    private List<SearchExpression> joined(
            List<SearchExpression> terms, String operator, Optional<ColumnReference> group) {
        List<SearchExpression> written = new ArrayList<>();
        for (SearchExpression term : terms) {
            if (!written.isEmpty()) {
                out.append(' ');
                space();
                if (operator.equals("OR") || random.nextBoolean()) {
                    out.append(operator).append(' ');
                    space();
                }
            }
            boolean bindsStronger = operator.equals("OR") && term instanceof SearchExpression.And;
            written.add(bindsStronger && random.nextBoolean() ? expression(term, group) : factor(term, group));
        }
        return written;
    }

    private SearchExpression factor(SearchExpression expression, Optional<ColumnReference> group) {
        Optional<ColumnReference> common = group.isEmpty() ? commonColumn(expression) : Optional.empty();
        if (common.isPresent() && random.nextBoolean()) {
            ColumnReference column = column(common.get());
            return parenthesised(expression, Optional.of(column));
        }
        boolean isJoined = expression instanceof SearchExpression.And || expression instanceof SearchExpression.Or;
        if (isJoined || random.nextInt(5) == 0) {
            return parenthesised(expression, group);
        }
        return switch (expression) {
            case SearchExpression.Not(SearchExpression term) -> {
                out.append(random.nextBoolean() ? "NOT " : "-");
                yield new SearchExpression.Not(factor(term, group));
            }
            case SearchExpression.InText(SearchValue.Text value, int _) -> {
                int position = out.length();
                value(value, Place.ALONE);
                yield new SearchExpression.InText(value, position);
            }
            case SearchExpression.InColumn(ColumnReference column, SearchValue value, int _) -> {
                ColumnReference written = group.isPresent() ? group.get() : column(column);
                int position = out.length();
                value(value, group.isPresent() ? Place.IN_GROUP : Place.BEHIND_COLUMN);
                yield new SearchExpression.InColumn(written, value, position);
            }
            default -> throw new AssertionError(expression);
        };
    }

    private SearchExpression parenthesised(SearchExpression expression, Optional<ColumnReference> group) {
        out.append('(');
        space();
        SearchExpression written = expression(expression, group);
        space();
        out.append(')');
        return written;
    }

    private static Optional<ColumnReference> commonColumn(SearchExpression expression) {
        List<Optional<ColumnReference>> columns = columns(expression).distinct().toList();
        return columns.size() == 1 ? columns.getFirst() : Optional.empty();
    }

    private static Stream<Optional<ColumnReference>> columns(SearchExpression expression) {
        return switch (expression) {
            case SearchExpression.And(List<SearchExpression> terms) ->
                terms.stream().flatMap(SearchPrinter::columns);
            case SearchExpression.Or(List<SearchExpression> terms) ->
                terms.stream().flatMap(SearchPrinter::columns);
            case SearchExpression.Not(SearchExpression term) -> columns(term);
            case SearchExpression.InText _ -> Stream.of(Optional.empty());
            case SearchExpression.InColumn(ColumnReference column, SearchValue _, int _) ->
                Stream.of(Optional.of(column));
        };
    }

    private ColumnReference column(ColumnReference column) {
        int position = out.length();
        if (random.nextBoolean()) {
            quoted(column.text());
        } else {
            word(column.text(), ":*?", "-");
        }
        out.append(':');
        return new ColumnReference(column.text(), position);
    }

    private void value(SearchValue value, Place place) {
        String needed = place.needed;
        String neededFirst = place.neededFirst;
        switch (value) {
            case SearchValue.Exact(String text) -> {
                if (text.isEmpty() || random.nextInt(3) == 0) {
                    quoted(text);
                } else {
                    word(text, needed, neededFirst);
                }
            }
            case SearchValue.Prefix(String text) -> {
                word(text, needed, neededFirst);
                out.append(random.nextBoolean() ? "*" : "**");
            }
            case SearchValue.Any() -> out.append("*");
            case SearchValue.Pattern(List<Part> parts) -> {
                for (Part part : parts) {
                    switch (part) {
                        case Part.Literal(String text) -> word(text, needed, neededFirst);
                        case Part.AnyOne() -> out.append('?');
                        case Part.AnyRun() -> out.append('*');
                    }
                }
            }
            case SearchValue.Range range -> range(range);
        }
    }

    private void range(SearchValue.Range range) {
        if (range.low().isEmpty() && range.high().isPresent() && random.nextBoolean()) {
            out.append(range.highInclusive() ? "<=" : "<");
            exact(range.high().get(), "*?", "=");
        } else if (range.high().isEmpty() && range.low().isPresent() && random.nextBoolean()) {
            out.append(range.lowInclusive() ? ">=" : ">");
            exact(range.low().get(), "*?", "=");
        } else {
            out.append(range.lowInclusive() ? '[' : '{');
            bound(range.low());
            out.append(" TO ");
            bound(range.high());
            out.append(range.highInclusive() ? ']' : '}');
        }
    }

    private void bound(Optional<String> bound) {
        space();
        if (bound.isPresent()) {
            exact(bound.get(), "*?]}", "");
        } else {
            out.append('*');
        }
        space();
    }

    private void exact(String text, String needed, String neededFirst) {
        if (text.isEmpty() || random.nextBoolean()) {
            quoted(text);
        } else {
            word(text, needed, neededFirst);
        }
    }

    private void quoted(String text) {
        out.append('"');
        out.append(text.replace("\\", "\\\\").replace("\"", "\\\""));
        out.append('"');
    }

    private void word(String text, String needed, String neededFirst) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean escape = Character.isWhitespace(c)
                    || "()\"\\".indexOf(c) >= 0
                    || needed.indexOf(c) >= 0
                    || (i == 0 && (neededFirst.indexOf(c) >= 0 || OPERATORS.contains(text)))
                    || random.nextInt(10) == 0;
            if (escape) {
                out.append('\\');
            }
            out.append(c);
        }
    }

    private void space() {
        if (random.nextInt(4) == 0) {
            out.append(random.nextBoolean() ? " " : "\n\t");
        }
    }
}
