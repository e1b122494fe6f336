package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Queries are made as trees, written down, parsed, and held against what the trees mean on lists of tokens. */
class MatchOracleTest {
    /** Words that share tokens and prefixes, and are cut into one token or several. */
    private static final Arbitrary<String> WORDS =
            Arbitraries.of("get", "GET", "go", "g", "user", "user_id", "id", "10.0", "1", "北京", "京", "É", "é9", "or");

    /** A query: what it means, and how it is written. */
    private sealed interface Query {
        record All(List<Query> terms, String and) implements Query {}

        record Any(List<Query> terms) implements Query {}

        record No(Query term) implements Query {}

        record Words(List<String> words, boolean quoted, boolean prefix) implements Query {
            String text() {
                return String.join(" ", words);
            }
        }
    }

    @Provide
    Arbitrary<Query> queries() {
        return query(3);
    }

    private static Arbitrary<Query> query(int depth) {
        Arbitrary<Query> words = Combinators.combine(
                        WORDS.list().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as((texts, quoted, prefix) -> new Query.Words(quoted ? texts : texts.subList(0, 1), quoted, prefix));
        if (depth == 0) {
            return words;
        }
        Arbitrary<List<Query>> terms =
                Arbitraries.lazy(() -> query(depth - 1)).list().ofMinSize(2).ofMaxSize(3);
        return Arbitraries.oneOf(List.of(
                words,
                Combinators.combine(terms, Arbitraries.of(" ", " AND ")).as(Query.All::new),
                terms.map(Query.Any::new),
                Arbitraries.lazy(() -> query(depth - 1)).map(Query.No::new)));
    }

    private static String written(Query query, boolean inAnd) {
        return switch (query) {
            case Query.All(List<Query> terms, String and) ->
                terms.stream().map(term -> written(term, true)).collect(Collectors.joining(and, "(", ")"));
            case Query.Any(List<Query> terms) -> {
                String text = terms.stream().map(term -> written(term, false)).collect(Collectors.joining(" OR "));
                yield inAnd ? "(" + text + ")" : text;
            }
            case Query.No(Query term) -> "NOT " + written(term, true);
            case Query.Words words -> {
                String text = words.text() + (words.prefix() ? "*" : "");
                yield words.quoted() ? '"' + text + '"' : text;
            }
        };
    }

    private static boolean holds(Query query, List<String> tokens) {
        return switch (query) {
            case Query.All(List<Query> terms, String _and) -> terms.stream().allMatch(term -> holds(term, tokens));
            case Query.Any(List<Query> terms) -> terms.stream().anyMatch(term -> holds(term, tokens));
            case Query.No(Query term) -> !holds(term, tokens);
            case Query.Words words -> {
                List<String> expected = TokenizerTest.tokens(words.text().getBytes(UTF_8));
                if (!words.prefix()) {
                    yield Collections.indexOfSubList(tokens, expected) >= 0;
                }
                // As if every token were cut where the prefix ends
                String last = expected.getLast();
                yield IntStream.rangeClosed(0, tokens.size() - expected.size())
                        .mapToObj(from -> tokens.subList(from, from + expected.size()))
                        .anyMatch(part -> part.getLast().startsWith(last)
                                && part.subList(0, part.size() - 1).equals(expected.subList(0, expected.size() - 1)));
            }
        };
    }

    private static boolean holdsOnKeyword(Query query, String value) {
        return switch (query) {
            case Query.All(List<Query> terms, String _and) ->
                terms.stream().allMatch(term -> holdsOnKeyword(term, value));
            case Query.Any(List<Query> terms) -> terms.stream().anyMatch(term -> holdsOnKeyword(term, value));
            case Query.No(Query term) -> !holdsOnKeyword(term, value);
            case Query.Words words -> {
                String expected = words.text().toLowerCase(Locale.ROOT);
                String lower = value.toLowerCase(Locale.ROOT);
                yield words.prefix() ? lower.startsWith(expected) : lower.equals(expected);
            }
        };
    }

    @Provide
    Arbitrary<String> values() {
        return Combinators.combine(
                        WORDS.list().ofMaxSize(6),
                        Arbitraries.of(" ", "-", "", "_", " … ").list().ofSize(6))
                .as((words, separators) -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < words.size(); i++) {
                        text.append(i == 0 ? "" : separators.get(i)).append(words.get(i));
                    }
                    return text.toString();
                });
    }

    @Property
    void meansOnTextWhatItsTreeMeans(@ForAll("queries") Query query, @ForAll("values") String value) {
        String text = written(query, false);
        assertThat(MatchQuery.parse(text).matchesText(value))
                .as("%s on %s", text, value)
                .isEqualTo(holds(query, TokenizerTest.tokens(value.getBytes(UTF_8))));
    }

    @Property
    void meansOnKeywordsWhatItsTreeMeans(@ForAll("queries") Query query, @ForAll("values") String value) {
        String text = written(query, false);
        assertThat(MatchQuery.parse(text).matchesKeyword(value))
                .as("%s on %s", text, value)
                .isEqualTo(holdsOnKeyword(query, value));
    }
}
