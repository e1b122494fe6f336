package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.SqlDialect;
import io.cordwood.benchmarks.stack.SqlRun;
import java.sql.Connection;
import java.sql.SQLException;

/** An engine behind JDBC. Not thread-safe. */
public final class SqlPeer implements Peer {
    private final String name;
    private final Connection connection;
    private final SqlDialect dialect;

    /** @param connection its caller closes it */
    public SqlPeer(String name, Connection connection, SqlDialect dialect) {
        this.name = name;
        this.connection = connection;
        this.dialect = dialect;
    }

    @Override
    public String name() {
        return name;
    }

    public String sql(BenchQuery query) {
        return query.sql(dialect);
    }

    @Override
    public Run ask(BenchQuery query) throws SQLException {
        SqlRun run = run(query);
        return new Run(new Answer(run.rows(), 0), run.millis(), run.physicalBytes());
    }

    /** The same run with Trino's statistics. */
    public SqlRun run(BenchQuery query) throws SQLException {
        return SqlRun.of(connection, sql(query), query.template().equals("Q7"));
    }
}
