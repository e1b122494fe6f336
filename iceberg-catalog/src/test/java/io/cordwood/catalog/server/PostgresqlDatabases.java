package io.cordwood.catalog.server;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server with as many databases as tests need. Not thread-safe. */
final class PostgresqlDatabases implements AutoCloseable {
    private final Service postgresql;
    private int databases;

    private PostgresqlDatabases(Service postgresql) {
        this.postgresql = postgresql;
    }

    static PostgresqlDatabases start() throws IOException, InterruptedException {
        return new PostgresqlDatabases(TestServices.postgresql());
    }

    /** Creates an empty database; returns its URL. */
    String create() throws SQLException {
        String name = "test" + ++databases;
        try (Connection connection = DriverManager.getConnection(postgresql.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return postgresql.url().replace("/postgres?", "/" + name + "?");
    }

    @Override
    public void close() throws IOException {
        postgresql.close();
    }
}
