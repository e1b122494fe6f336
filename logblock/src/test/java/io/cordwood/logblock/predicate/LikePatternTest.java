package io.cordwood.logblock.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
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
}
