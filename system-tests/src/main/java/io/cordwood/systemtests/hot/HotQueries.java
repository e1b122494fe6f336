package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.stack.ScanFigures;
import io.cordwood.benchmarks.stack.SqlRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Measures time and reads of one query over hot rows, under given session properties. For one thread. */
record HotQueries(Connection connection) {
    /** The connector's counters by name. */
    Map<String, Long> metrics(String sql) throws SQLException {
        return ScanFigures.counts(connection, sql);
    }

    /** Sets a session property of the connector. */
    void set(String property, String value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION cordwood.%s = %s".formatted(property, value));
        }
    }

    /** Median time of this number of runs in ms, after one that is not counted. */
    double medianMillis(String sql, int runs) throws SQLException {
        rows(sql);
        return SqlRun.medianMillis(connection, sql, runs);
    }

    /** Runs it and returns the number of rows. */
    long rows(String sql) throws SQLException {
        return SqlRun.of(connection, sql, false).rows();
    }
}
