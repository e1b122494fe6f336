package io.cordwood.trino;

import static io.cordwood.trino.RandomQuestionTimes.any;

import io.cordwood.trino.AskedColumn.Kind;
import io.cordwood.trino.WantedValue.Written;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Makes random searches about columns. Not thread-safe. */
final class RandomTree {
    private static final int DEPTH = 2;

    private final Random random;
    private final List<AskedColumn> columns;
    private final List<AskedColumn> textColumns;

    RandomTree(Random random, List<AskedColumn> columns) {
        this.random = random;
        this.columns = columns;
        this.textColumns =
                columns.stream().filter(column -> column.kind() == Kind.TEXT).toList();
    }

    SearchTree next() {
        return random.nextInt(25) == 0
                ? new SearchTree.Every(any(random, List.of("", " ", "*")))
                : tree(DEPTH, this::leaf);
    }

    private SearchTree tree(int depth, Supplier<SearchTree> leaves) {
        if (depth == 0) {
            return leaves.get();
        }
        return switch (random.nextInt(7)) {
            case 0, 1 -> new SearchTree.All(terms(depth, leaves), any(random, List.of(" ", " AND ", "  ")));
            case 2 -> new SearchTree.Any(terms(depth, leaves));
            case 3 -> new SearchTree.No(tree(depth - 1, leaves), any(random, List.of("-", "NOT ")));
            default -> leaves.get();
        };
    }

    private List<SearchTree> terms(int depth, Supplier<SearchTree> leaves) {
        return Stream.generate(() -> tree(depth - 1, leaves))
                .limit(2 + random.nextInt(2))
                .toList();
    }

    private SearchTree leaf() {
        if (random.nextInt(3) == 0) {
            return inText();
        }
        AskedColumn column = any(random, columns);
        Supplier<SearchTree> values = () -> new SearchTree.Value(column, value(column));
        SearchTree asked = random.nextInt(6) == 0 ? tree(DEPTH - 1, values) : values.get();
        return new SearchTree.InColumn(name(column), asked);
    }

    private String name(AskedColumn column) {
        if (column.name().contains(" ")) {
            return '"' + column.name() + '"';
        }
        return column.isStored() && random.nextInt(4) == 0 ? column.name().toUpperCase(Locale.ROOT) : column.name();
    }

    private SearchTree inText() {
        return new SearchTree.InText(text(any(random, textColumns)), textColumns);
    }

    /** A word or phrase, whole or as a prefix. */
    private WantedValue text(AskedColumn column) {
        List<String> words = List.of(any(random, column.samples()).split(" ", -1));
        int from = random.nextInt(words.size());
        String some = String.join(" ", words.subList(from, Math.min(words.size(), from + 1 + random.nextInt(3))));
        if (!TokenPattern.hasToken(some)) {
            some = "disk";
        }
        if (random.nextInt(4) == 0) {
            return new WantedValue.Exact(literal(swapCase(some)));
        }
        if (random.nextInt(3) > 0) {
            return new WantedValue.Exact(literal(some));
        }
        int last = some.length();
        while (!TokenPattern.hasToken(Character.toString(some.codePointBefore(last)))) {
            last -= Character.charCount(some.codePointBefore(last));
        }
        int shorter = some.offsetByCodePoints(last, -1);
        boolean canCut = shorter > 0 && TokenPattern.hasToken(Character.toString(some.codePointBefore(shorter)));
        return new WantedValue.Prefix(bare(some.substring(0, canCut && random.nextBoolean() ? shorter : last)));
    }

    private WantedValue value(AskedColumn column) {
        if (random.nextInt(10) == 0) {
            return new WantedValue.Present();
        }
        return switch (column.kind()) {
            case TEXT -> random.nextInt(5) == 0 ? range(() -> literal(sample(column))) : text(column);
            case KEYWORD -> keyword(column);
            case BOOLEAN -> {
                String flag = any(random, List.of("true", "false"));
                yield new WantedValue.Exact(new Written(random.nextBoolean() ? flag : swapCase(flag), flag));
            }
            case BIGINT, DOUBLE -> {
                Supplier<Written> numbers = () -> number(column);
                yield random.nextInt(3) == 0 ? new WantedValue.Exact(numbers.get()) : range(numbers);
            }
            case TIME -> {
                int kind = random.nextInt(6);
                yield kind == 0
                        ? new WantedValue.Day(RandomQuestionTimes.day(random))
                        : kind == 1
                                ? new WantedValue.Exact(RandomQuestionTimes.written(random))
                                : range(() -> random.nextInt(5) == 0
                                        ? RandomQuestionTimes.day(random)
                                        : RandomQuestionTimes.written(random));
            }
        };
    }

    private WantedValue keyword(AskedColumn column) {
        String value = sample(column);
        int codePoints = value.codePointCount(0, value.length());
        return switch (random.nextInt(8)) {
            case 0 -> range(() -> literal(sample(column)));
            case 1 -> new WantedValue.Exact(literal(swapCase(value)));
            case 2, 3 ->
                codePoints == 0
                        ? new WantedValue.Present()
                        : new WantedValue.Prefix(bare(swapSome(
                                value.substring(0, value.offsetByCodePoints(0, 1 + random.nextInt(codePoints))))));
            case 4 -> wildcards(value);
            default -> new WantedValue.Exact(literal(value));
        };
    }

    /** Some characters of the value become wildcards; a wildcard comes first, so that it is no prefix. */
    private WantedValue wildcards(String value) {
        StringBuilder text = new StringBuilder("?");
        StringBuilder pattern = new StringBuilder(".");
        boolean isRun = false;
        for (int c : value.codePoints().skip(1).toArray()) {
            int kind = random.nextInt(4);
            if (kind == 0) {
                text.append('?');
                pattern.append('.');
            } else if (kind == 1) {
                text.append('*');
                pattern.append(".*");
            } else {
                text.append(bare(Character.toString(c)).text());
                pattern.append(isPlain(c) ? "" : "\\").appendCodePoint(c);
            }
            isRun |= kind == 1;
        }
        return isRun || random.nextBoolean()
                ? new WantedValue.Wildcards(text.toString(), pattern.toString())
                : new WantedValue.Wildcards("*" + text, ".*" + pattern);
    }

    private String sample(AskedColumn column) {
        return any(random, column.samples());
    }

    private WantedValue range(Supplier<Written> ends) {
        if (random.nextBoolean()) {
            return new WantedValue.Compared(any(random, List.of("<", "<=", ">", ">=")), ends.get());
        }
        return new WantedValue.Range(end(ends), random.nextBoolean(), end(ends), random.nextBoolean());
    }

    private Optional<Written> end(Supplier<Written> ends) {
        return random.nextInt(6) == 0 ? Optional.empty() : Optional.of(ends.get());
    }

    /** A number that is a value, or just beside one; in one of its forms. */
    private Written number(AskedColumn column) {
        BigDecimal number = new BigDecimal(sample(column));
        if (random.nextInt(4) == 0) {
            number = number.add(new BigDecimal(any(random, List.of("0.5", "1", "-1", "-0.5"))));
        }
        String meaning = number.toPlainString();
        String text = random.nextInt(8) == 0 && number.precision() < 30
                ? number.unscaledValue() + "e" + -number.scale()
                : meaning;
        // In a group '-' negates
        return text.startsWith("-")
                ? new Written(random.nextBoolean() ? '"' + text + '"' : '\\' + text, meaning)
                : new Written(text, meaning);
    }

    private String swapSome(String text) {
        return random.nextBoolean() ? swapCase(text) : text;
    }

    /** In the other case, character by character. */
    private static String swapCase(String text) {
        StringBuilder swapped = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
                .forEach(swapped::appendCodePoint);
        return swapped.toString();
    }

    private Written literal(String value) {
        if (!value.isEmpty() && random.nextBoolean()) {
            return bare(value);
        }
        return new Written('"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"', value);
    }

    /** Without quotes: what might mean something has a backslash. */
    private Written bare(String value) {
        StringBuilder text = new StringBuilder();
        List<Integer> characters = new ArrayList<>(value.codePoints().boxed().toList());
        boolean isWord = List.of("OR", "AND", "NOT", "TO").contains(value);
        for (int c : characters) {
            text.append(isPlain(c) && !isWord ? "" : "\\").appendCodePoint(c);
        }
        return new Written(text.toString(), value);
    }

    private static boolean isPlain(int c) {
        return c >= 128 || Character.isLetterOrDigit(c);
    }
}
