package io.cordwood.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The same random condition in the language of searches and in SQL.
 *
 * @param text as a search
 * @param sql as a condition in SQL, never null
 */
record RandomSearch(String text, String sql) {
    private static final List<String> WORDS = List.of("disk", "full", "row", "DISK", "nowhere", "7", "500");

    static RandomSearch of(Random random) {
        return random.nextInt(12) == 0 ? new RandomSearch("", "true") : all(random, 2);
    }

    /** Terms that must all be true. */
    private static RandomSearch all(Random random, int depth) {
        List<RandomSearch> terms = terms(random, depth, 1 + random.nextInt(3));
        return new RandomSearch(join(terms, RandomSearch::text, " "), join(terms, RandomSearch::sql, " AND "));
    }

    private static List<RandomSearch> terms(Random random, int depth, int count) {
        List<RandomSearch> terms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            terms.add(term(random, depth));
        }
        return terms;
    }

    private static String join(List<RandomSearch> terms, Function<RandomSearch, String> part, String separator) {
        return terms.stream().map(part).collect(Collectors.joining(separator));
    }

    private static RandomSearch term(Random random, int depth) {
        if (depth > 0 && random.nextInt(4) == 0) {
            List<RandomSearch> terms = terms(random, depth - 1, 2 + random.nextInt(2));
            return new RandomSearch(
                    "(" + join(terms, RandomSearch::text, " OR ") + ")",
                    "(" + join(terms, RandomSearch::sql, " OR ") + ")");
        }
        if (random.nextInt(4) == 0) {
            RandomSearch term = depth > 0 ? group(all(random, depth - 1)) : leaf(random);
            return new RandomSearch((random.nextBoolean() ? "-" : "NOT ") + term.text(), "(NOT " + term.sql() + ")");
        }
        return leaf(random);
    }

    private static RandomSearch group(RandomSearch search) {
        return new RandomSearch("(" + search.text() + ")", "(" + search.sql() + ")");
    }

    private static RandomSearch leaf(Random random) {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        int number = random.nextInt(13_000);
        return switch (random.nextInt(14)) {
            case 0, 1 -> leaf(word, "match(message, '%s')".formatted(word));
            case 2 -> leaf("\"disk full\"", "match(message, '\"disk full\"')");
            case 3 -> leaf("dis*", "match(message, 'dis*')");
            case 4 -> leaf("message:" + word, "match(message, '%s')".formatted(word));
            case 5 -> leaf("level:error", "lower(level) = 'error'");
            case 6 -> leaf("level:\"fatal error\"", "lower(level) = 'fatal error'");
            case 7 -> leaf("level:(info OR error)", "lower(level) IN ('info', 'error')");
            case 8 -> leaf("level:F*", "lower(level) LIKE 'f%'");
            case 9 -> leaf("level:*AT*", "level LIKE '%AT%'");
            case 10 -> leaf("n:>=" + number, "n >= " + number);
            case 11 ->
                leaf(
                        "n:[%d TO %d}".formatted(number, number + 900),
                        "n >= %d AND n < %d".formatted(number, number + 900));
            case 12 ->
                random.nextBoolean()
                        ? leaf("level:*", "level IS NOT NULL")
                        : leaf("attributes.extra:*", "element_at(attributes, 'extra') IS NOT NULL");
            default ->
                leaf(
                        "attributes.extra:x" + number % 10,
                        "element_at(attributes, 'extra') = 'x%d'".formatted(number % 10));
        };
    }

    /** A term that is null for a row is not true. */
    private static RandomSearch leaf(String text, String sql) {
        return new RandomSearch(text, "coalesce(%s, false)".formatted(sql));
    }
}
