package io.cordwood.catalog.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.catalog.pipeline.Step.Parse.Format;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns name columns, and are bounded in size and time. */
class ColumnPatternTest {
    @Test
    void groupsOfRegularExpressionsAreColumns() {
        ColumnPattern pattern = ColumnPattern.of(Format.REGEX, "(x)(?P<b>\\d+) (?<a>\\w+)");
        assertThat(pattern.groups())
                .containsExactly(new ColumnPattern.Group(2, "b", false), new ColumnPattern.Group(3, "a", false));
        Matcher matcher = pattern.matcher("-- x12 ab");
        assertThat(matcher.find()).isTrue();
        assertThat(matcher.group(2)).isEqualTo("12");
        assertThat(matcher.group(3)).isEqualTo("ab");
    }

    @Test
    void lengthAndSizeAreBounded() {
        assertThatNoException().isThrownBy(() -> ColumnPattern.compile("x".repeat(4000)));
        refused(Format.REGEX, "x".repeat(4001), "A pattern has 1 to 4000 characters");
        refused(Format.GROK, "", "A pattern has 1 to 4000 characters");
        refused(Format.REGEX, "(?P<a>((x{1000}){1000}){1000})", "too large, or repeats too often");
        refused(Format.GROK, "%{INT:a}((x{1000}){1000}){1000}", "too large, or repeats too often");
        refused(Format.REGEX, "(".repeat(1000) + "?P<a>x" + ")".repeat(1000), "nested more than 200 levels deep");
        refused(Format.GROK, "%{COMBINEDAPACHELOG}".repeat(200), "is longer than 64,000 characters");
        refused(Format.GROK, "%{COMBINEDAPACHELOG}".repeat(20), "too large, or repeats too often");
    }

    @Test
    void malformedPatternsAreRefusedWithTheReason() {
        refused(Format.REGEX, "(?P<a>x", "The pattern '(?P<a>x' is malformed: missing closing )");
        refused(Format.REGEX, "(?P<a>x)(?P<a>y)", "duplicate capture group name: a");
        refused(Format.REGEX, "(?P<a>x)(?=y)", "malformed");
        refused(Format.REGEX, "(x)", "The pattern '(x)' names no columns");
        refused(Format.GROK, "%{INT} x", "names no columns");
        refused(Format.REGEX, "(?P<%s>x)".formatted("a".repeat(256)), "The name of a column has 1 to 255 characters");
        refused(Format.GROK, "%{INT:[]}", "The name of a column has 1 to 255 characters");
        refused(Format.REGEX, "(?P<a>\ud800)", "not valid Unicode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnPattern.compile("(" + "x".repeat(3000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600));
    }

    private static void refused(Format format, String pattern, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnPattern.of(format, pattern))
                .withMessageContaining(reason);
    }

    /** A backtracking engine would take longer than the universe is old. */
    @ParameterizedTest
    @ValueSource(strings = {"(a+)+$", "^(a|aa)*$", "^(a*)*(a*)*b?$", "^(.*a){20}$"})
    @Timeout(60)
    void timeIsInProportionToTheText(String regex) {
        Pattern pattern = ColumnPattern.compile(regex);
        String text = "a".repeat(100_000) + "!";
        long begun = System.nanoTime();
        assertThat(pattern.matcher(text).find()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    }
}
