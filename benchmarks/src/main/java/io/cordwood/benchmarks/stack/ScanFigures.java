package io.cordwood.benchmarks.stack;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connector's counters for a query, from Trino's {@code EXPLAIN ANALYZE VERBOSE}. Immutable.
 *
 * @param bytesRead bytes requested from storage
 * @param requests number of requests to storage
 */
public record ScanFigures(long bytesRead, long requests) {
    private static final Pattern COUNT = Pattern.compile("'([A-Za-z -]+)' = LongCount\\{total=([0-9]+)\\}");

    /** Runs the query once more. */
    public static ScanFigures of(Connection trino, String sql) throws SQLException {
        return of(counts(trino, sql));
    }

    /** Runs the query once more, and returns all counters by name, summed over its scans. */
    public static Map<String, Long> counts(Connection trino, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = trino.createStatement();
                ResultSet lines = statement.executeQuery("EXPLAIN ANALYZE VERBOSE " + sql)) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return counts(plan.toString());
    }

    static ScanFigures parse(String plan) {
        return of(counts(plan));
    }

    private static ScanFigures of(Map<String, Long> counts) {
        return new ScanFigures(counts.getOrDefault("bytes read", 0L), counts.getOrDefault("requests", 0L));
    }

    private static Map<String, Long> counts(String plan) {
        Map<String, Long> counts = new HashMap<>();
        for (Matcher count = COUNT.matcher(plan); count.find(); ) {
            counts.merge(count.group(1), Long.parseLong(count.group(2)), Long::sum);
        }
        return counts;
    }
}
