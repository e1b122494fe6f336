package io.cordwood.catalog.server;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A PostgreSQL server for the tests of a class, with as many databases as they need. Not thread-safe. */
public final class PostgresqlDatabases implements BeforeAllCallback, AfterAllCallback {
    private Service postgresql;
    private int databases;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        postgresql = TestServices.postgresql();
    }

    /** Creates an empty database; returns its URL. */
    public String create() throws SQLException {
        String name = "test" + ++databases;
        try (Connection connection = DriverManager.getConnection(postgresql.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return postgresql.url().replace("/postgres?", "/" + name + "?");
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        postgresql.close();
    }
}
