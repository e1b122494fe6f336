package io.cordwood.benchmarks;

import io.trino.jdbc.QueryStats;
import io.trino.jdbc.TrinoResultSet;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * One run of a query.
 *
 * @param right whether the answer was the expected one; said on standard error if not
 * @param millis from asking to the last row
 * @param stats Trino's figures; empty if something else answered
 */
record QueryRun(boolean right, double millis, Optional<QueryStats> stats) {
    static QueryRun of(Connection connection, BenchQuery query, String sql) throws SQLException {
        long start = System.nanoTime();
        long rows = 0;
        long sum = 0;
        double millis;
        Optional<QueryStats> stats;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows++;
                sum += query.template().equals("Q7") ? result.getLong(2) : 0;
            }
            millis = (System.nanoTime() - start) / 1e6;
            stats = result.isWrapperFor(TrinoResultSet.class)
                    ? Optional.of(result.unwrap(TrinoResultSet.class).getStats())
                    : Optional.empty();
        }
        boolean right = query.isRight(rows, sum);
        if (!right) {
            System.err.printf(
                    "bench: %s by %s: %d rows, sum %d; expected %d%n",
                    query.name(), connection.getMetaData().getDatabaseProductName(), rows, sum, query.expected());
        }
        return new QueryRun(right, millis, stats);
    }

    /** Runs a query some times and gives the median of its time. */
    static double medianMillis(Connection connection, BenchQuery query, String sql, int runs) throws SQLException {
        double[] millis = new double[runs];
        for (int run = 0; run < runs; run++) {
            millis[run] = of(connection, query, sql).millis();
        }
        return Percentiles.of(millis).median();
    }
}
