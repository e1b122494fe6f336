package io.cordwood.benchmarks.stack;

import io.cordwood.benchmarks.report.Percentiles;
import io.trino.jdbc.QueryStats;
import io.trino.jdbc.TrinoResultSet;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * One run of a statement.
 *
 * @param rows rows returned, or the sum of the counts in them
 * @param millis time from the request to the last row
 * @param stats Trino's statistics; empty for another engine
 */
public record SqlRun(long rows, double millis, Optional<QueryStats> stats) {
    /**
     * Runs a statement.
     *
     * @param counted whether the second column counts rows, which are then summed
     */
    public static SqlRun of(Connection connection, String sql, boolean counted) throws SQLException {
        long start = System.nanoTime();
        long rows = 0;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows += counted ? result.getLong(2) : 1;
            }
            double millis = (System.nanoTime() - start) / 1e6;
            Optional<QueryStats> stats = result.isWrapperFor(TrinoResultSet.class)
                    ? Optional.of(result.unwrap(TrinoResultSet.class).getStats())
                    : Optional.empty();
            return new SqlRun(rows, millis, stats);
        }
    }

    /** Median time of some runs. */
    public static double medianMillis(Connection connection, String sql, int runs) throws SQLException {
        double[] millis = new double[runs];
        for (int run = 0; run < runs; run++) {
            millis[run] = of(connection, sql, false).millis();
        }
        return Percentiles.of(millis).median();
    }

    /** Bytes read from storage by Trino's count; 0 for another engine. */
    public long physicalBytes() {
        return stats.map(QueryStats::getPhysicalInputBytes).orElse(0L);
    }
}
