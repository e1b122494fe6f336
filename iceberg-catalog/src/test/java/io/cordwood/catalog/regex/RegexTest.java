package io.cordwood.catalog.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;

class RegexTest {
    @Test
    void sizesCountRepetitions() {
        assertThat(Regex.size("abc")).isEqualTo(3);
        assertThat(Regex.size("a{5}b")).isEqualTo(6);
        assertThat(Regex.size("(ab){1,10}")).isEqualTo(30);
        assertThat(Regex.size("[a-z{9}]{3}")).isEqualTo(3);
        assertThat(Regex.size("\\{5}")).isEqualTo(3);
    }

    @Test
    void whatWouldFillTheMemoryIsRefused() {
        assertThatThrownBy(() -> Regex.compile("(x{1000}){1000}", 0)).isInstanceOf(PatternSyntaxException.class);
        assertThatThrownBy(() -> Regex.compile("((((x{9}){9}){9}){9}){9}", 0))
                .isInstanceOf(PatternSyntaxException.class);
        assertThat(Regex.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", 0)
                        .matches("12345678-1234-1234-1234-123456789abc"))
                .isTrue();
    }

    /** A bracket that is no group must not hide what was before it. */
    @Test
    void bracketsInQuotationsAndClassesAreCharacters() {
        assertThat(Regex.size("(a{900}\\Q(\\Eb){100}")).isGreaterThan(90_000);
        assertThat(Regex.size("(a{900}[[:alpha:](]b){100}")).isGreaterThan(90_000);
        assertThat(Regex.size("\\Qa{5}(\\E{2}")).isLessThan(10);
        assertThat(Regex.size("\\Q((((")).isLessThan(10);
        for (String regex : new String[] {"((a{900}\\Q(\\Eb){1000}", "((a{900}[[:alpha:](]b){1000}"}) {
            assertThatThrownBy(() -> Regex.compile(regex + "\\Q(\\Eb){1000}", 0))
                    .isInstanceOf(PatternSyntaxException.class)
                    .hasMessageContaining("too large");
        }
    }

    @Test
    void groupsInGroupsAreBounded() {
        assertThatThrownBy(() -> Regex.compile("(".repeat(4_000) + "a" + ")".repeat(4_000), 0))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("more than 200 levels deep");
        String deepest = "(".repeat(200) + "a{0,1000}b" + ")*".repeat(200);
        assertThat(Regex.compile(deepest, 0).matcher("ab").matches()).isTrue();
    }
}
