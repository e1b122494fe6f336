package io.cordwood.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;

/** An engine behind JDBC. Not thread-safe. */
final class SqlPeer implements Peer {
    private final String name;
    private final Connection connection;
    private final SqlDialect dialect;

    /** @param connection closed by who opened it */
    SqlPeer(String name, Connection connection, SqlDialect dialect) {
        this.name = name;
        this.connection = connection;
        this.dialect = dialect;
    }

    @Override
    public String name() {
        return name;
    }

    String sql(BenchQuery query) {
        return query.sql(dialect);
    }

    @Override
    public Run ask(BenchQuery query) throws SQLException {
        return run(query).asRun();
    }

    /** The same with what Trino says of it. */
    SqlRun run(BenchQuery query) throws SQLException {
        return SqlRun.of(connection, sql(query), query.template().equals("Q7"));
    }
}
