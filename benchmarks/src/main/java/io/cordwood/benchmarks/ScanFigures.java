package io.cordwood.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the connector counted when it answered a query, from Trino's {@code EXPLAIN ANALYZE VERBOSE}. Immutable.
 *
 * @param bytesRead bytes asked of storage
 * @param requests how often storage was asked
 */
record ScanFigures(long bytesRead, long requests) {
    private static final Pattern BYTES = Pattern.compile("'bytes read' = LongCount\\{total=([0-9]+)\\}");
    private static final Pattern REQUESTS = Pattern.compile("'requests' = LongCount\\{total=([0-9]+)\\}");

    /** Runs the query once more. */
    static ScanFigures of(Connection trino, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = trino.createStatement();
                ResultSet lines = statement.executeQuery("EXPLAIN ANALYZE VERBOSE " + sql)) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return parse(plan.toString());
    }

    static ScanFigures parse(String plan) {
        return new ScanFigures(sum(BYTES, plan), sum(REQUESTS, plan));
    }

    private static long sum(Pattern counter, String plan) {
        long sum = 0;
        for (Matcher found = counter.matcher(plan); found.find(); ) {
            sum += Long.parseLong(found.group(1));
        }
        return sum;
    }
}
