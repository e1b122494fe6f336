package io.cordwood.benchmarks.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A query of the set: one of eight templates, for a tenant and a time range.
 *
 * @param template Q1 to Q8
 * @param fromMicros first microsecond of the range
 * @param toMicros microsecond after the range
 * @param parameters token, token2, phrase, ip, api, latency, limit, as far as the template needs them
 * @param expected rows returned, or for Q7 rows counted
 */
public record BenchQuery(
        String template,
        String tenant,
        String range,
        long fromMicros,
        long toMicros,
        JsonNode parameters,
        long expected) {
    public String name() {
        return "%s/t%s/%s".formatted(template, tenant, range);
    }

    static List<BenchQuery> load(Path file) throws IOException {
        List<BenchQuery> queries = new ArrayList<>();
        for (JsonNode query : new ObjectMapper().readTree(file.toFile()).path("queries")) {
            queries.add(new BenchQuery(
                    member(query, "q", file).asText(),
                    member(query, "tenant", file).asText(),
                    member(query, "range", file).asText(),
                    member(query, "start_us", file).asLong(),
                    member(query, "end_us", file).asLong(),
                    query,
                    member(query, "expect", file).asLong()));
        }
        if (queries.isEmpty()) {
            throw new IOException(file + " has no queries: expected a JSON object with a list \"queries\"");
        }
        return queries;
    }

    private static JsonNode member(JsonNode query, String name, Path file) throws IOException {
        if (!query.has(name)) {
            throw new IOException("a query in %s has no %s".formatted(file, name));
        }
        return query.get(name);
    }

    /**
     * The same query over a range of the same length before all rows. It measures the cost of a query that finds
     * nothing.
     */
    public BenchQuery overEmptyRange() {
        return new BenchQuery(template, tenant, range, 0, toMicros - fromMicros, parameters, 0);
    }

    /** The same query with another expectation. */
    public BenchQuery expecting(long rows) {
        return new BenchQuery(template, tenant, range, fromMicros, toMicros, parameters, rows);
    }

    private String text(String parameter) {
        return parameters.get(parameter).asText().replace("'", "''");
    }

    private static String literal(long micros) {
        Instant instant = Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1000);
        return instant.toString().replace("T", " ").replace("Z", "");
    }

    /** The query in an engine's dialect. */
    public String sql(SqlDialect dialect) {
        String where = " FROM %sts >= %s AND ts < %s AND "
                .formatted(
                        dialect.from().apply(this),
                        dialect.time().apply(literal(fromMicros)),
                        dialect.time().apply(literal(toMicros)));
        UnaryOperator<String> token = dialect.token();
        return switch (template) {
            case "Q1" ->
                "SELECT log" + where + "ip = '" + text("ip") + "' AND latency >= " + text("latency")
                        + " AND fail = false";
            case "Q2" -> "SELECT ts, ip, api, log" + where + token.apply(text("token"));
            case "Q3" -> "SELECT ts, log" + where + token.apply(text("token")) + " AND " + token.apply(text("token2"));
            case "Q4" -> "SELECT ts, log" + where + dialect.phrase().apply(text("phrase"));
            case "Q5" ->
                "SELECT ts, log" + where + token.apply(text("token")) + " ORDER BY ts DESC LIMIT " + text("limit");
            case "Q6" ->
                "SELECT ts, log" + where + token.apply(text("token")) + " ORDER BY ts ASC LIMIT " + text("limit");
            case "Q7" ->
                "SELECT " + dialect.minute() + ", count(*)" + where + token.apply(text("token")) + " GROUP BY 1";
            case "Q8" ->
                "SELECT ip, count(*)" + where + "api = '" + text("api") + "' GROUP BY ip ORDER BY 2 DESC LIMIT 10";
            default -> throw new IllegalArgumentException("Unknown query template " + template);
        };
    }

    /** Whether this is the expected number of rows. */
    public boolean isRight(long rows) {
        return rows == expected;
    }

    /** Maximum number of returned rows. */
    public long rowsReturned() {
        return template.equals("Q7")
                ? Math.min(expected, (toMicros - fromMicros) / MinuteRuns.MINUTE_MICROS)
                : expected;
    }
}
