package io.cordwood.query.language;

import io.cordwood.query.language.SearchExpression.ColumnReference;
import io.cordwood.query.language.SearchValue.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Seeded trees as the parser makes them, with every kind of value and awkward characters. Not thread-safe. */
final class RandomSearches {
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            "web",
            "OR",
            "AND",
            "NOT",
            "TO",
            "now",
            "5",
            "*",
            "?",
            "\\",
            "\"",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ":",
            "-",
            "<",
            ">",
            "=",
            ".",
            " ",
            "\t",
            "\u00a0",
            "ä",
            "北",
            "\uD83D\uDE00");

    private final Random random;

    RandomSearches(long seed) {
        this.random = new Random(seed);
    }

    SearchExpression expression(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return leaf(Optional.empty());
        }
        return branch(depth, Optional.empty());
    }

    /** Of the group of a column, if it has one. */
    private SearchExpression expression(int depth, Optional<ColumnReference> column) {
        return depth == 0 || random.nextInt(3) == 0 ? leaf(column) : branch(depth, column);
    }

    private SearchExpression branch(int depth, Optional<ColumnReference> column) {
        return switch (random.nextInt(4)) {
            case 0 -> new SearchExpression.And(children(depth, column));
            case 1 -> new SearchExpression.Or(children(depth, column));
            case 2 -> new SearchExpression.Not(expression(depth - 1, column));
            default -> expression(depth - 1, column.isPresent() ? column : Optional.of(column()));
        };
    }

    private List<SearchExpression> children(int depth, Optional<ColumnReference> column) {
        List<SearchExpression> children = new ArrayList<>();
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            children.add(expression(depth - 1, column));
        }
        return children;
    }

    private SearchExpression leaf(Optional<ColumnReference> group) {
        if (group.isEmpty() && random.nextInt(3) == 0) {
            return new SearchExpression.InText(text(), 0);
        }
        ColumnReference column = group.orElseGet(this::column);
        return new SearchExpression.InColumn(column, random.nextInt(4) == 0 ? range() : text(), 0);
    }

    private ColumnReference column() {
        return new ColumnReference(string(1), 0);
    }

    private SearchValue.Text text() {
        return switch (random.nextInt(6)) {
            case 0 -> new SearchValue.Any();
            case 1 -> new SearchValue.Prefix(string(1));
            case 2 -> pattern();
            default -> new SearchValue.Exact(string(0));
        };
    }

    private SearchValue.Pattern pattern() {
        return random.nextBoolean()
                ? new SearchValue.Pattern(
                        List.of(new Part.AnyRun(), new Part.Literal(string(1)), new Part.AnyOne(), new Part.AnyOne()))
                : new SearchValue.Pattern(List.of(new Part.Literal(string(1)), new Part.AnyOne(), new Part.AnyRun()));
    }

    private SearchValue.Range range() {
        return new SearchValue.Range(bound(), random.nextBoolean(), bound(), random.nextBoolean());
    }

    private Optional<String> bound() {
        return random.nextInt(3) == 0 ? Optional.empty() : Optional.of(string(0));
    }

    private String string(int minPieces) {
        StringBuilder string = new StringBuilder();
        int pieces = Math.max(minPieces, random.nextInt(4));
        for (int i = 0; i < pieces; i++) {
            string.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return string.toString();
    }
}
