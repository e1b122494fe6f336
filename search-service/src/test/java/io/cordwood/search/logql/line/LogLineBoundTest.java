package io.cordwood.search.logql.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.search.logql.LogQl;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lines that would get labels of many times their length are kept, and say that they have only some. */
class LogLineBoundTest {
    private static final int LONG = 40_000;
    private static final String TEXT = "x".repeat(LONG);
    private static final int MANY = 60;

    static Stream<Arguments> growing() {
        return Stream.of(
                Arguments.of("json", nested(numbered("\"m%d\":1", ","))),
                Arguments.of("json", nested(repeated("\"m\":1", 20_000))),
                Arguments.of("json", nested(repeated("\"m\":\"\"", 20_000))),
                Arguments.of("json", ("{\"" + TEXT + "\":").repeat(MANY) + "1" + "}".repeat(MANY)),
                Arguments.of("json " + numbered("l%d=\"m\"", ","), "{\"m\":\"" + TEXT + "\"}"),
                Arguments.of("logfmt " + numbered("l%d=\"m\"", ","), "m=" + TEXT),
                Arguments.of("regexp \"" + numbered("(?P<l%d>", "") + "x+" + ")".repeat(MANY) + "\"", TEXT),
                Arguments.of("label_format " + numbered("l%d=\"{{__line__}}\"", ","), TEXT));
    }

    /** An object with members below a long name. */
    private static String nested(String members) {
        return "{\"" + TEXT + "\":{" + members + "}}";
    }

    private static String repeated(String text, int times) {
        return String.join(",", Collections.nCopies(times, text));
    }

    private static String numbered(String format, String between) {
        return IntStream.range(0, MANY).mapToObj(format::formatted).collect(Collectors.joining(between));
    }

    @ParameterizedTest
    @MethodSource("growing")
    @Timeout(20)
    void labelsOfALineHaveABound(String stage, String text) {
        LogLine line = applied(stage, text);
        assertThat(line.label(LogLine.ERROR)).isEqualTo("LabelsTooLongErr");
        assertThat(line.label(LogLine.ERROR_DETAILS)).contains("1,048,576 characters");
        assertThat(line.line()).isEqualTo(text);
        assertThat(line.length() - text.length()).isLessThan(LogLine.MAX_LENGTH + 1_000);
    }

    private static LogLine applied(String stages, String text) {
        LogLine line = new LogLine(0, text, Map.of("app", "web"), Map.of());
        assertThat(new Pipeline(LogQl.parseLogQuery("{} | " + stages).stages()).keeps(line))
                .isTrue();
        return line;
    }

    @Test
    void whatFitsIsThere() {
        LogLine line = applied("json | regexp \"(?P<all>.*)\"", nested("\"m\":1"));
        assertThat(line.hasError()).isFalse();
        assertThat(line.parsed()).hasSize(2).containsEntry(TEXT + "_m", "1");
    }

    @Test
    void refusedRenamesLeaveTheLabel() {
        LogLine line = applied(
                "label_format " + numbered("l%d=\"{{__line__}}\"", ",") + " | label_format other=app, app=app", TEXT);
        assertThat(line.label("app")).isEqualTo("web");
        assertThat(line.label("other")).isEmpty();
        assertThat(applied("label_format app=app", TEXT).label("app")).isEqualTo("web");
    }

    @Test
    void detailsOfErrorsAreShort() {
        assertThat(applied("label_format l=\"{{__line__}}\" | l > 5", TEXT).label(LogLine.ERROR_DETAILS))
                .hasSizeLessThan(1_100)
                .contains("xxx");
    }
}
