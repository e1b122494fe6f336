package io.cordwood.search.logql;

import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.metric.LineSource;
import io.cordwood.search.logql.metric.NeededLabels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Twelve lines, one each five seconds from second 5 to second 60. */
final class LogRows implements LineSource {
    static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final long SECONDS_BETWEEN = 5;

    /** Labels of the stream, structured metadata, and the line. */
    private record Row(Map<String, String> stream, Map<String, String> structured, String line) {}

    private static final List<Row> ROWS = List.of(
            row(
                    "web",
                    "info",
                    "200",
                    "a",
                    "{\"method\":\"GET\",\"path\":\"/a\",\"took\":\"12ms\",\"size\":\"1kB\","
                            + "\"user\":{\"id\":7,\"name\":\"ann\"},\"ok\":true}"),
            row(
                    "web",
                    "error",
                    "500",
                    "b",
                    "{\"method\":\"POST\",\"path\":\"/b\",\"took\":\"1.5s\",\"size\":\"2kB\","
                            + "\"user\":{\"id\":8,\"name\":\"bob\"},\"tags\":[\"x\",\"y\"],\"none\":null}"),
            row("db", "info", "", "a", "level=info msg=\"query done\" rows=10 dur=20ms"),
            row("db", "error", "", "b", "level=error msg=\"deadlock found\" rows=0 dur=3s"),
            row("web", "info", "200", "a", "10.0.0.1 - GET /a 200 12"),
            row("web", "warn", "404", "b", "10.0.0.2 - GET /missing 404 7"),
            row("db", "info", "", "", "plain text line"),
            row("db", "error", "", "", "ERROR: disk full \""),
            row(
                    "web",
                    "info",
                    "200",
                    "a",
                    "{\"method\":\"GET\",\"path\":\"/c\",\"took\":\"3ms\",\"size\":\"512\","
                            + "\"user\":{\"id\":9,\"name\":\"cy\"}}"),
            row("cache", "info", "", "", "hit=1 key=a"),
            row("cache", "info", "", "", "hit=0 key=b"),
            row("cache", "", "", "", "\u001b[31mred\u001b[0m alert"));

    private static Row row(String app, String level, String status, String host, String line) {
        return new Row(labels("app", app, "level", level), labels("status", status, "host", host), line);
    }

    private static Map<String, String> labels(String... pairs) {
        Map<String, String> labels = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (!pairs[i + 1].isEmpty()) {
                labels.put(pairs[i], pairs[i + 1]);
            }
        }
        return labels;
    }

    /** The number of a line's row, from 1. */
    static int number(LogLine line) {
        return (int) (line.nanos() / NANOS_PER_SECOND / SECONDS_BETWEEN);
    }

    /** The lines of a selector. */
    static List<LogLine> lines(LogQuery query) {
        List<LogLine> lines = new ArrayList<>();
        for (int i = 0; i < ROWS.size(); i++) {
            Row row = ROWS.get(i);
            LogLine line = new LogLine(
                    (i + 1) * SECONDS_BETWEEN * NANOS_PER_SECOND, row.line(), row.stream(), row.structured());
            if (query.selector().stream().allMatch(matcher -> matcher.matches(line.label(matcher.label())))) {
                lines.add(line);
            }
        }
        return lines;
    }

    @Override
    public void read(LogQuery query, NeededLabels needs, long afterNanos, long toNanos, Consumer<LogLine> visitor) {
        Stream<LogLine> lines = lines(query).stream();
        lines.filter(line -> line.nanos() > afterNanos && line.nanos() <= toNanos)
                .forEach(visitor);
    }
}
