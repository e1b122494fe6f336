package io.cordwood.benchmarks;

import io.cordwood.logblock.Column;
import io.cordwood.logblock.ColumnCursor;
import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.LogBlockSchema;
import io.cordwood.logblock.LongVector;
import io.cordwood.logblock.Predicate;
import io.cordwood.logblock.Predicate.ValueRange;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.ReadOptions;
import io.cordwood.logblock.RowSet;
import io.cordwood.logblock.StringVector;
import io.cordwood.logblock.TimeRange;
import io.cordwood.logblock.match.MatchQuery;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers a query of the set on open LogBlocks, newest last, without Trino. Not thread-safe. */
final class EngineQuery {
    private final BenchQuery query;
    private final LogBlockSchema schema;
    private final ReadOptions options;
    private final ReadMetrics metrics;

    EngineQuery(BenchQuery query, LogBlockSchema schema, ReadOptions options, ReadMetrics metrics) {
        this.query = query;
        this.schema = schema;
        this.options = options;
        this.metrics = metrics;
    }

    /** Rows returned, or for Q7 rows counted. */
    long run(List<LogBlock> blocks) throws IOException {
        TimeRange time = new TimeRange(query.fromMicros(), query.toMicros() - 1);
        Predicate predicate = predicate();
        Map<String, Integer> counts = new HashMap<>();
        long rows = 0;
        boolean newestFirst = query.template().equals("Q5");
        boolean limited = newestFirst || query.template().equals("Q6");
        for (LogBlock block : newestFirst ? blocks.reversed() : blocks) {
            RowSet selected = block.select(time, predicate, options, metrics);
            int[] found = selected.toArray();
            if (limited) {
                int wanted = (int)
                        Math.min(found.length, query.parameters().get("limit").asLong() - rows);
                found = newestFirst
                        ? Arrays.copyOfRange(found, found.length - wanted, found.length)
                        : Arrays.copyOf(found, wanted);
            }
            rows += found.length;
            read(block, found, counts);
        }
        return query.template().equals("Q8") ? Math.min(10, counts.size()) : rows;
    }

    private Column column(String name) {
        return schema.column(name).orElseThrow();
    }

    private Predicate predicate() {
        return switch (query.template()) {
            case "Q1" ->
                new Predicate.And(List.of(
                        equal("ip", text("ip")),
                        new Predicate.In(
                                column("latency"),
                                List.of(new ValueRange(
                                        Optional.of(query.parameters()
                                                .get("latency")
                                                .asLong()),
                                        true,
                                        Optional.empty(),
                                        false))),
                        new Predicate.In(column("fail"), List.of(ValueRange.equal(false)))));
            case "Q3" -> new Predicate.And(List.of(match(text("token")), match(text("token2"))));
            case "Q4" -> match('"' + text("phrase") + '"');
            case "Q8" -> equal("api", text("api"));
            default -> match(text("token"));
        };
    }

    private String text(String parameter) {
        return query.parameters().get(parameter).asText();
    }

    private Predicate equal(String name, String value) {
        return new Predicate.In(column(name), List.of(ValueRange.equal(value)));
    }

    private Predicate match(String text) {
        return new Predicate.Match(column("log"), MatchQuery.parse(text));
    }

    private void read(LogBlock block, int[] rows, Map<String, Integer> counts) throws IOException {
        List<String> names = switch (query.template()) {
            case "Q1" -> List.of("log");
            case "Q2" -> List.of("ts", "ip", "api", "log");
            case "Q7" -> List.of("ts");
            case "Q8" -> List.of("ip");
            default -> List.of("ts", "log");
        };
        for (String name : names) {
            ColumnCursor cursor = block.cursor(column(name), metrics);
            for (int from = 0; from < rows.length; from += 8192) {
                int count = Math.min(8192, rows.length - from);
                switch (cursor.read(rows, from, count)) {
                    case StringVector strings
                    when query.template().equals("Q8") -> {
                        for (int i = 0; i < count; i++) {
                            counts.merge(strings.string(i), 1, Integer::sum);
                        }
                    }
                    case LongVector times
                    when query.template().equals("Q7") -> {
                        for (int i = 0; i < count; i++) {
                            counts.merge(Long.toString(times.values()[i] / 60_000_000), 1, Integer::sum);
                        }
                    }
                    default -> {}
                }
            }
        }
    }
}
