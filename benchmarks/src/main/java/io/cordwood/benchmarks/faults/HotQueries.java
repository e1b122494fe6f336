package io.cordwood.benchmarks.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One query over hot rows: how long it takes and what it reads, with session properties set. For one thread. */
record HotQueries(Connection connection) {
    private static final Pattern METRIC = Pattern.compile("'([A-Za-z -]+)' = LongCount\\{total=(\\d+)}");

    /** What the connector counted, by name. */
    Map<String, Long> metrics(String sql) throws SQLException {
        Map<String, Long> metrics = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("EXPLAIN ANALYZE VERBOSE " + sql)) {
            while (lines.next()) {
                for (Matcher metric = METRIC.matcher(lines.getString(1)); metric.find(); ) {
                    metrics.merge(metric.group(1), Long.parseLong(metric.group(2)), Long::sum);
                }
            }
        }
        return metrics;
    }

    /** Sets a property of the connector for what follows. */
    void set(String property, String value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION cordwood.%s = %s".formatted(property, value));
        }
    }

    /** Median of so many runs, after one that is not counted, in ms. */
    double medianMillis(String sql, int runs) throws SQLException {
        rows(sql);
        double[] millis = new double[runs];
        for (int run = 0; run < runs; run++) {
            long begun = System.nanoTime();
            rows(sql);
            millis[run] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(millis);
        return millis[runs / 2];
    }

    /** Runs it and returns the number of rows. */
    long rows(String sql) throws SQLException {
        long count = 0;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                count++;
            }
        }
        return count;
    }
}
