package io.cordwood.search.loki;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.search.loki.RegexLiterals.Alternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexLiteralsTest {
    @Test
    void alternativesOfLiterals() {
        assertThat(RegexLiterals.of("a|b c").orElseThrow())
                .containsExactly(new Alternative("a", false, false), new Alternative("b c", false, false));
        assertThat(RegexLiterals.of(".*a.*|b.*").orElseThrow())
                .containsExactly(new Alternative("a", true, true), new Alternative("b", false, true));
        assertThat(RegexLiterals.of("1\\.2").orElseThrow()).containsExactly(new Alternative("1.2", false, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a+", "(a|b)", "[ab]", "^a", "a$", "(?i)a", "\\d", "a{2}", "a\\", "1\\|3"})
    void whatIsNoLiteral(String regex) {
        assertThat(RegexLiterals.of(regex)).isEmpty();
    }
}
