package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.stack.ScanFigures;
import io.cordwood.benchmarks.stack.SqlRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** One query over hot rows: how long it takes and what it reads, with session properties set. For one thread. */
record HotQueries(Connection connection) {
    /** What the connector counted, by name. */
    Map<String, Long> metrics(String sql) throws SQLException {
        return ScanFigures.counts(connection, sql);
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
        return SqlRun.medianMillis(connection, sql, runs);
    }

    /** Runs it and returns the number of rows. */
    long rows(String sql) throws SQLException {
        return SqlRun.of(connection, sql, false).rows();
    }
}
