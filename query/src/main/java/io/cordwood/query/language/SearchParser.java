package io.cordwood.query.language;

import io.cordwood.query.language.SearchExpression.ColumnReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A parser of the search bar's language, a recursive descent by the grammar
 *
 * <pre>
 * search := [or]
 * or     := and ("OR" and)*
 * and    := factor (["AND"] factor)*
 * factor := ("NOT" | "-") factor | "(" or ")" | [(name | quoted) ":"] value
 * value  := word | quoted | (">" | ">=" | "<" | "<=") (word | quoted) | range | "(" or ")"
 * range  := ("[" | "{") bound "TO" bound ("]" | "}")
 * bound  := word | quoted | "*"
 * </pre>
 *
 * A name is the part of a word before its first colon. Only a quoted text, a word or a group stands without a column.
 * In the group of a column, factors are values of that column.
 */
public final class SearchParser {
    /** Maximum length of a text, in UTF-16 units. */
    public static final int MAX_LENGTH = 10_000;
    /** Maximum number of terms. */
    public static final int MAX_TERMS = 1_000;
    /** Maximum depth of groups and negations. */
    public static final int MAX_DEPTH = 200;

    /** An operator that a term must follow. */
    private record Operator(String name, int position) {}

    private final SearchScanner scanner;
    private final Deque<Integer> openGroups = new ArrayDeque<>();
    private Optional<Operator> pending = Optional.empty();
    private int depth;
    private int terms;

    private SearchParser(String text) {
        this.scanner = new SearchScanner(text);
    }

    /**
     * Parses a text; an empty one selects every row.
     *
     * @throws SearchSyntaxException if the text is malformed or exceeds a bound; the message says where
     */
    public static SearchExpression parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new SearchSyntaxException(
                    MAX_LENGTH, "The search is longer than %,d characters".formatted(MAX_LENGTH), "shorten it");
        }
        return text.isBlank() ? SearchExpression.EVERY_ROW : new SearchParser(text).parse();
    }

    private SearchExpression parse() {
        SearchExpression expression = or(Optional.empty());
        if (!scanner.isAtEnd()) {
            throw closesNothing();
        }
        return expression;
    }

    private SearchExpression or(Optional<ColumnReference> column) {
        List<SearchExpression> alternatives = new ArrayList<>();
        alternatives.add(and(column));
        while (acceptOperator("OR")) {
            alternatives.add(and(column));
        }
        return alternatives.size() == 1 ? alternatives.getFirst() : new SearchExpression.Or(alternatives);
    }

    private SearchExpression and(Optional<ColumnReference> column) {
        List<SearchExpression> conditions = new ArrayList<>();
        conditions.add(factor(column));
        while (!isAtEndOfAnd()) {
            acceptOperator("AND");
            conditions.add(factor(column));
        }
        return conditions.size() == 1 ? conditions.getFirst() : new SearchExpression.And(conditions);
    }

    private boolean isAtEndOfAnd() {
        scanner.skipSpace();
        return scanner.isAtEnd() || scanner.isNext(')') || scanner.isOperatorNext("OR");
    }

    private boolean acceptOperator(String name) {
        scanner.skipSpace();
        int position = scanner.position();
        boolean found = scanner.acceptOperator(name);
        if (found) {
            pending = Optional.of(new Operator(name, position));
        }
        return found;
    }

    private SearchExpression factor(Optional<ColumnReference> column) {
        if (isAtEndOfAnd() || scanner.isOperatorNext("AND")) {
            throw missingTerm();
        }
        enterLevel();
        SearchExpression factor;
        if (acceptOperator("NOT") || scanner.acceptMinus()) {
            factor = new SearchExpression.Not(factor(column));
        } else if (scanner.isNext('(')) {
            factor = group(column);
        } else {
            factor = column.isPresent() ? value(column.get()) : term();
        }
        depth--;
        return factor;
    }

    private void enterLevel() {
        if (++depth > MAX_DEPTH) {
            throw new SearchSyntaxException(
                    scanner.position(), "More than %d levels".formatted(MAX_DEPTH), "nest fewer groups and negations");
        }
    }

    private SearchExpression group(Optional<ColumnReference> column) {
        openGroups.push(scanner.position());
        scanner.accept('(');
        pending = Optional.empty();
        SearchExpression inner = or(column);
        if (!scanner.accept(')')) {
            throw notClosed();
        }
        openGroups.pop();
        return inner;
    }

    /** Parses a term with or without a column. */
    private SearchExpression term() {
        int start = scanner.position();
        SearchValue.Text value;
        String name;
        if (scanner.isNext('"')) {
            name = scanner.quoted();
            value = new SearchValue.Exact(name);
        } else {
            SearchWord word = scanner.word(":");
            name = word.text();
            value = word.value();
        }
        if (!scanner.accept(':')) {
            addTerm(start);
            return new SearchExpression.InText(value, start);
        }
        if (name.isEmpty()) {
            throw new SearchSyntaxException(
                    start, "No column stands before ':'", "name one, or put text in double quotes");
        }
        if (scanner.isAtEndOfTerm()) {
            throw new SearchSyntaxException(
                    scanner.position() - 1,
                    "No value follows ':'",
                    "write the value right behind it, or put text in double quotes");
        }
        ColumnReference column = new ColumnReference(name, start);
        if (!scanner.isNext('(')) {
            return value(column);
        }
        enterLevel();
        SearchExpression values = group(Optional.of(column));
        depth--;
        return values;
    }

    private SearchExpression value(ColumnReference column) {
        int start = scanner.position();
        addTerm(start);
        SearchValue value;
        if (scanner.isNext('"')) {
            value = new SearchValue.Exact(scanner.quoted());
        } else if (scanner.isNextOf("<>")) {
            value = comparison();
        } else if (scanner.isNextOf("[{")) {
            value = range();
        } else {
            value = scanner.word("").value();
        }
        return new SearchExpression.InColumn(column, value, start);
    }

    private SearchValue.Range comparison() {
        boolean isLow = scanner.accept('>') || !scanner.accept('<');
        boolean inclusive = scanner.accept('=');
        int start = scanner.position();
        if (scanner.isAtEndOfTerm() || scanner.isNext('(')) {
            throw new SearchSyntaxException(
                    start - 1, "No value follows the comparison", "write the value right behind it");
        }
        Optional<String> bound = Optional.of(exact("", start));
        return isLow
                ? new SearchValue.Range(bound, inclusive, Optional.empty(), false)
                : new SearchValue.Range(Optional.empty(), false, bound, inclusive);
    }

    private SearchValue.Range range() {
        int start = scanner.position();
        boolean lowInclusive = scanner.accept('[') || !scanner.accept('{');
        Optional<String> low = bound(start);
        if (!scanner.acceptOperator("TO")) {
            throw notRange(start);
        }
        Optional<String> high = bound(start);
        scanner.skipSpace();
        boolean highInclusive = scanner.accept(']');
        if (!highInclusive && !scanner.accept('}')) {
            throw notRange(start);
        }
        return new SearchValue.Range(low, lowInclusive, high, highInclusive);
    }

    /** Parses a bound of a range; empty if it is open. */
    private Optional<String> bound(int rangeStart) {
        scanner.skipSpace();
        if (scanner.isAtEndOfTerm() || scanner.isNextOf("]}(")) {
            throw notRange(rangeStart);
        }
        int start = scanner.position();
        if (scanner.accept('*')) {
            if (scanner.isAtEndOfTerm() || scanner.isNextOf("]}")) {
                return Optional.empty();
            }
            throw wildcard(start);
        }
        return Optional.of(exact("]}", start));
    }

    /** Parses a quoted text, or a word without wildcards. */
    private String exact(String ends, int start) {
        if (scanner.isNext('"')) {
            return scanner.quoted();
        }
        SearchWord word = scanner.word(ends);
        if (word.hasWildcard()) {
            throw wildcard(start);
        }
        return word.text();
    }

    private void addTerm(int position) {
        pending = Optional.empty();
        if (++terms > MAX_TERMS) {
            throw new SearchSyntaxException(
                    position, "More than %,d terms".formatted(MAX_TERMS), "search for fewer at once");
        }
    }

    private SearchSyntaxException missingTerm() {
        if (pending.isPresent()) {
            return lonely(pending.get().name(), "after", pending.get().position());
        }
        for (String operator : List.of("OR", "AND")) {
            if (scanner.isOperatorNext(operator)) {
                return lonely(operator, "before", scanner.position());
            }
        }
        if (openGroups.isEmpty()) {
            return closesNothing();
        }
        return scanner.isAtEnd()
                ? notClosed()
                : new SearchSyntaxException(
                        openGroups.peek(),
                        "Nothing stands between '(' and ')'",
                        "write a term there, or put text in double quotes");
    }

    private static SearchSyntaxException lonely(String operator, String side, int position) {
        return new SearchSyntaxException(
                position,
                "'%s' has no term %s it".formatted(operator, side),
                "add one, or write \"%s\" to search for the word".formatted(operator));
    }

    private SearchSyntaxException closesNothing() {
        return new SearchSyntaxException(
                scanner.position(), "')' closes no '('", "remove it, or put text in double quotes");
    }

    private SearchSyntaxException notClosed() {
        return new SearchSyntaxException(
                openGroups.element(), "'(' is not closed", "add ')', or put text in double quotes");
    }

    private static SearchSyntaxException notRange(int start) {
        return new SearchSyntaxException(
                start, "The range is incomplete", "write it as [a TO b] or {a TO b}, or put text in double quotes");
    }

    private static SearchSyntaxException wildcard(int start) {
        return new SearchSyntaxException(
                start, "A comparison or range takes no wildcard", "remove it, or put the value in double quotes");
    }
}
