package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database of its own for each test, in one server. */
class PostgresqlCatalogServiceIT extends AbstractCatalogServiceTests {
    @RegisterExtension
    private static final PostgresqlDatabases databases = new PostgresqlDatabases();

    private String url;

    @Override
    String jdbcUrl(Path directory) throws Exception {
        url = databases.create();
        return url;
    }

    @Override
    String lastJdbcUrl() {
        return url;
    }

    /** As after a failover, or where a proxy closes idle connections. */
    @Test
    void readsAreAnsweredAfterTheServerHasClosedTheConnections() throws SQLException {
        readOnEachConnection();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()""");
        }
        readOnEachConnection();
    }

    private void readOnEachConnection() {
        for (int i = 0; i < 10; i++) {
            assertThat(client().pointers("logs").tables()).isEmpty();
        }
    }
}
