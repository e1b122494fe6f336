package io.cordwood.search.logql;

import static io.cordwood.search.logql.LogRows.NANOS_PER_SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import io.cordwood.search.logql.metric.MetricEvaluator;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Series;
import io.cordwood.search.logql.metric.Steps;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The meaning of queries, by hand, from Loki's public documentation. */
class LogQlFactsTest {
    private static final String ARROW = "->";

    static Stream<Arguments> facts() throws IOException {
        try (InputStream in = LogQlFactsTest.class.getResourceAsStream("facts.txt")) {
            List<Arguments> facts = new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(LogQlFactsTest::fact)
                    .toList();
            return facts.stream();
        }
    }

    private static Arguments fact(String line) {
        int colon = line.indexOf(": ");
        int arrow = line.lastIndexOf(ARROW);
        return Arguments.of(
                line.substring(0, colon),
                line.substring(colon + 2, arrow).strip(),
                line.substring(arrow + ARROW.length()).strip());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("facts")
    void fact(String kind, String query, String expected) {
        switch (kind) {
            case "lines" ->
                assertThat(selected(query).stream()
                                .map(line -> Integer.toString(LogRows.number(line)))
                                .collect(Collectors.joining(" ")))
                        .isEqualTo(expected);
            case "text" ->
                assertThat(selected(query).stream().map(LogLine::line).collect(Collectors.joining(" / ")))
                        .isEqualTo(expected);
            case "labels" ->
                assertThat(selected(query).getFirst().parsed().entrySet().stream()
                                .filter(label -> !label.getKey().startsWith("__"))
                                .map(Map.Entry::toString)
                                .collect(Collectors.joining(" ")))
                        .isEqualTo(expected);
            case "value" ->
                assertThat(evaluated(query, Steps.at(60 * NANOS_PER_SECOND))).isEqualTo(expected);
            case "matrix" ->
                assertThat(evaluated(query, new Steps(20 * NANOS_PER_SECOND, 20 * NANOS_PER_SECOND, 3)))
                        .isEqualTo(expected);
            case "error" ->
                assertThatThrownBy(() -> evaluated(query, Steps.at(60 * NANOS_PER_SECOND)))
                        .hasMessageContaining(expected);
            default -> throw new IllegalArgumentException("No kind of fact: " + kind);
        }
    }

    private static List<LogLine> selected(String text) {
        LogQuery query = LogQl.parseLogQuery(text);
        Pipeline pipeline = new Pipeline(query.stages());
        return LogRows.lines(query).stream().filter(pipeline::keeps).toList();
    }

    private static String evaluated(String text, Steps steps) {
        if (!(LogQl.parse(text) instanceof SampleExpression expression)) {
            throw new IllegalArgumentException("A log query");
        }
        return switch (new MetricEvaluator(new LogRows(), steps).evaluate(expression)) {
            case Result.Scalar(double value) -> number(value);
            case Result.Vector(List<Series> series) -> {
                boolean isOrdered = text.startsWith("sort") || text.startsWith("topk");
                Stream<String> shown = series.stream().map(one -> shown(one, steps));
                yield (isOrdered && steps.count() == 1 ? shown : shown.sorted()).collect(Collectors.joining("; "));
            }
        };
    }

    private static String shown(Series series, Steps steps) {
        String labels = series.labels().entrySet().stream()
                .map(label -> "%s=\"%s\"".formatted(label.getKey(), label.getValue()))
                .collect(Collectors.joining(","));
        String values = IntStream.range(0, steps.count())
                .mapToObj(i -> series.present().get(i) ? number(series.values()[i]) : "-")
                .collect(Collectors.joining(" "));
        return "{%s} %s".formatted(labels, values);
    }

    private static String number(double value) {
        boolean isWhole = value == Math.rint(value) && !Double.isInfinite(value);
        return isWhole || Double.isInfinite(value)
                ? (isWhole ? Long.toString((long) value) : Double.toString(value))
                : Double.toString(Math.round(value * 1e9) / 1e9);
    }
}
