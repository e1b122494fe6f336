package io.cordwood.logblock.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "abc|''|abc|true",
                "a%|''|abc|true",
                "%c|''|abc|true",
                "a_c|''|abc|true",
                "a_c|''|aéc|true",
                "a__c|''|aéc|false",
                "a%b%c|''|aXbYbZc|true",
                "%é_|''|xéß|true",
                "aéé%|é|aé!|true",
                "aéé%|é|aéé|true",
                "aéé|é|aéé|false",
                "100!%|!|100%|true",
                "100!%|!|1000|false",
                "!_!!|!|_!|true",
                "''|''|''|true",
                "%|''|''|true",
            })
    void matchesAsSqlSays(String pattern, String escape, String value, boolean expected) {
        byte[] utf8 = value.getBytes(UTF_8);
        Optional<Character> character = escape.isEmpty() ? Optional.empty() : Optional.of(escape.charAt(0));
        assertThat(LikePattern.parse(pattern, character).matches(utf8, 0, utf8.length))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%foo%|''",
                "foo%|''",
                "foo |foo",
                "% foo %|foo",
                "%foo bar baz%|bar",
                "%foo xfoo%|''",
                "foo xfoo%|foo",
                "%北京%|北 京",
                "%x北y%|北",
                "%a_b%|''",
            })
    void showsTheTokensEveryMatchHolds(String pattern, String tokens) {
        assertThat(LikePattern.parse(pattern, Optional.empty()).wholeTokens().stream()
                        .map(token -> new String(token, UTF_8))
                        .toList())
                .containsExactly(tokens.isEmpty() ? new String[0] : tokens.split(" ", -1));
    }

    @Test
    void escapeBeforeAnythingElseIsRefused() {
        assertThatThrownBy(() -> LikePattern.parse("a!b", Optional.of('!')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a!b");
    }

    /** Parts of few kinds, so that patterns match values: characters of one to four bytes, wildcards, escapes. */
    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.of("%", "%", "_", "a", "ab", "é", "北", "😀", " ", "\n", "!", "!%", "!_", "!!", ".*", "\\E")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> values() {
        return Arbitraries.of("a", "ab", "b", "é", "北", "😀", " ", "\n", "!", "%", "_", ".*", "\\E")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
    }

    @Property
    void matchesAsTheRegularExpression(
            @ForAll("patterns") String pattern, @ForAll("values") String value, @ForAll boolean escaped) {
        Optional<Character> escape = escaped ? Optional.of('!') : Optional.empty();
        Optional<Pattern> regex = regex(pattern, escape);
        if (regex.isEmpty()) {
            assertThatThrownBy(() -> LikePattern.parse(pattern, escape)).isInstanceOf(IllegalArgumentException.class);
            return;
        }
        LikePattern like = LikePattern.parse(pattern, escape);
        byte[] utf8 = ("<" + value + ">").getBytes(UTF_8);
        boolean matches = like.matches(utf8, 1, utf8.length - 1);
        assertThat(matches).isEqualTo(regex.get().matcher(value).matches());
        if (matches) {
            assertThat(value).startsWith(new String(like.prefix(), UTF_8));
            List<String> tokens = strings(LikePattern.tokens(value.getBytes(UTF_8)));
            assertThat(tokens).containsAll(strings(like.wholeTokens()));
        }
    }

    /** The pattern as a regular expression; none if the escape character stands where it may not. */
    private static Optional<Pattern> regex(String pattern, Optional<Character> escape) {
        StringBuilder regex = new StringBuilder();
        boolean afterEscape = false;
        for (int c : pattern.codePoints().toArray()) {
            boolean isEscape = escape.isPresent() && c == escape.get();
            if (afterEscape && c != '%' && c != '_' && !isEscape) {
                return Optional.empty();
            }
            if (!afterEscape && isEscape) {
                afterEscape = true;
                continue;
            }
            regex.append(
                    afterEscape || (c != '%' && c != '_')
                            ? Pattern.quote(Character.toString(c))
                            : c == '%' ? ".*" : ".");
            afterEscape = false;
        }
        return afterEscape ? Optional.empty() : Optional.of(Pattern.compile(regex.toString(), Pattern.DOTALL));
    }

    private static List<String> strings(List<byte[]> tokens) {
        return tokens.stream().map(token -> new String(token, UTF_8)).toList();
    }
}
