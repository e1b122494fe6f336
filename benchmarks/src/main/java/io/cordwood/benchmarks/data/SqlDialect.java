package io.cordwood.benchmarks.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The syntax of the queries for an engine. Quotes in texts are already doubled.
 *
 * @param from the table, and the condition to which the time range is added
 * @param time a literal, from {@code 2026-11-19 10:00:00}
 * @param token the condition that a text has a token
 * @param phrase the condition that a text has these tokens one after another
 * @param minute the minute of {@code ts}
 */
public record SqlDialect(
        Function<BenchQuery, String> from,
        UnaryOperator<String> time,
        UnaryOperator<String> token,
        UnaryOperator<String> phrase,
        String minute) {
    private static final String TRINO_MINUTE = "date_trunc('minute', ts)";

    public static SqlDialect cordwood(String stream) {
        return new SqlDialect(
                query -> "cordwood.\"%s\".%s WHERE ".formatted(query.tenant(), stream),
                "TIMESTAMP '%s UTC'"::formatted,
                "match(log, '%s')"::formatted,
                "match(log, '\"%s\"')"::formatted,
                TRINO_MINUTE);
    }

    /** Trino's own Iceberg connector, which has no {@code match}: tokens by substring, which finds a few rows more. */
    public static SqlDialect trinoIceberg(String stream) {
        UnaryOperator<String> like = text -> "lower(log) LIKE '%%%s%%'".formatted(lower(text));
        return new SqlDialect(
                query -> "iceberg.\"%s\".%s WHERE ".formatted(query.tenant(), stream),
                "TIMESTAMP '%s UTC'"::formatted,
                like,
                like,
                TRINO_MINUTE);
    }

    /** DuckDB over the Parquet files of each tenant; tokens by substring. */
    public static SqlDialect duckDb(Map<String, List<Path>> files) {
        UnaryOperator<String> contains = text -> "contains(lower(log), '%s')".formatted(lower(text));
        return new SqlDialect(
                query -> files.get(query.tenant()).stream()
                        .map("'%s'"::formatted)
                        .collect(Collectors.joining(", ", "read_parquet([", "]) WHERE ")),
                "TIMESTAMPTZ '%s+00'"::formatted,
                contains,
                contains,
                TRINO_MINUTE);
    }

    /** ClickHouse with a text index on lower-cased {@code log}. */
    public static SqlDialect clickHouse(String table) {
        return new SqlDialect(
                query -> "%s WHERE tenant_id = '%s' AND ".formatted(table, query.tenant()),
                "toDateTime64('%s', 6, 'UTC')"::formatted,
                text -> "hasAllTokens(log, ['%s'])".formatted(lower(text)),
                text -> "hasPhrase(log, '%s')".formatted(lower(text)),
                "toStartOfMinute(ts)");
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
