package io.cordwood.search.logql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import java.time.Duration;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile queries and lines: an error, and neither a crash nor a hang. */
class BadInputTest {
    private static final int DEEP = 10_000;

    @Test
    void deepParentheses() {
        assertError("(".repeat(DEEP) + "1" + ")".repeat(DEEP), "levels deep");
        assertError("sum(".repeat(DEEP) + "rate({a=\"b\"}[1m])" + ")".repeat(DEEP), "levels deep");
        assertError("{a=\"b\"} | " + "(".repeat(DEEP) + "c=\"d\"" + ")".repeat(DEEP), "levels deep");
        assertError("rate(" + "(".repeat(DEEP) + "{a=\"b\"}[1m]" + ")".repeat(DEEP) + ")", "levels deep");
        assertError("{a=\"b\"} | line_format \"{{" + "(".repeat(DEEP) + "\"", "template");
        assertError("{a=\"b\"} | line_format `" + "{{if .a}}".repeat(4000) + "`", "levels deep");
    }

    @Test
    void longQueries() {
        assertError("{a=\"" + "x".repeat(100_000) + "\"}", "characters");
        assertError("vector(1)" + " + vector(1)".repeat(4_000), "operators");
        assertError("1" + " ^ 1".repeat(4_000), "levels deep");
        assertError("{a=\"b\"} | a=\"b\"" + " or a=\"b\"".repeat(4_000), "operators");
    }

    @Test
    void manyStages() {
        assertError("{a=\"b\"}" + " | json".repeat(9_000), "col 709: the query has more than 100 stages");
        assertError("{a=\"b\"}" + " != \"c\"".repeat(101), "the query has more than 100 stages");
        assertError("rate({a=\"b\"}" + " | json".repeat(9_000) + " [1m])", "the query has more than 100 stages");
        assertThat(LogQl.parseLogQuery("{a=\"b\"}" + " | json".repeat(100)).stages())
                .hasSize(100);
    }

    @Test
    void manyLargeRegularExpressions() {
        String stage = " !~ \"(.{0,99}x){90}\"";
        assertThat(LogQl.parseLogQuery("{a=\"b\"}" + stage).stages()).hasSize(1);
        assertError("{a=\"b\"}" + stage.repeat(2), "too large together");
    }

    private static void assertError(String query, String message) {
        assertThatThrownBy(() -> LogQl.parse(query))
                .isInstanceOf(LogQlException.class)
                .hasMessageContaining(message);
    }

    @Test
    void hostileRegularExpressionsTakeLinearTime() {
        LogQuery query = LogQl.parseLogQuery("{a=\"b\"} |~ \"(a+)+$\" |~ \"(.*)*x\"");
        LogLine line = new LogLine(0, "a".repeat(20_000) + "!", Map.of("a", "b"), Map.of());
        long begun = System.nanoTime();
        assertThat(new Pipeline(query.stages()).keeps(line)).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        assertError("{a=~\"(x{1000}){1000}\"}", "malformed");
    }

    @Test
    void positionsCountLines() {
        assertThatThrownBy(() -> LogQl.parse("sum(\n  rate({a=\"b\"}[5m]\n  nosuch)"))
                .hasMessageStartingWith("parse error at line 3, col 3: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[1",
                "{\"a\":",
                "{\"a\":[[[[",
                "{}",
                "{\"a\":{\"a\":{\"a\":1}}}",
                "\"",
                "a=\"",
                "=",
                "a==b",
                "\u0000\u0001",
                "{\"\\ud800\":\"\\udfff\"}",
                "{\"a\":1}}",
                "{\"_entry\":{}}"
            })
    void parsersTakeAnyLine(String line) {
        assertParsersTake(line);
    }

    @Test
    void deepObjects() {
        assertParsersTake("{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
        assertParsersTake("{\"a\":" + "[".repeat(DEEP) + "]".repeat(DEEP) + "}");
    }

    @Test
    void invalidUtf8() {
        assertParsersTake(new String("a=\u00ff\u00fe b=\"\u00c3".getBytes(ISO_8859_1), UTF_8));
    }

    @Property(tries = 500)
    void anyQueryGivesAQueryOrAnError(@ForAll String query) {
        try {
            assertThat(LogQl.parse(query)).isNotNull();
        } catch (LogQlException e) {
            assertThat(e).hasMessageStartingWith("parse error at line ");
        }
    }

    @Property(tries = 500)
    void parsersTakeAnyText(@ForAll String line) {
        assertParsersTake(line);
    }

    private static void assertParsersTake(String text) {
        for (String stage : new String[] {
            "json",
            "json a=\"a.a[0]\"",
            "logfmt",
            "logfmt --strict --keep-empty",
            "unpack",
            "pattern \"<a> <b>\"",
            "regexp \"(?P<a>.)\"",
            "decolorize",
            "line_format \"{{.a}}\""
        }) {
            LogQuery query = LogQl.parseLogQuery("{} | " + stage);
            LogLine line = new LogLine(0, text, Map.of("a", "b"), Map.of());
            assertThat(new Pipeline(query.stages()).keeps(line)).isTrue();
        }
    }
}
