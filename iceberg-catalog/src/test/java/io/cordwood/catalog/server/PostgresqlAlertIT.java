package io.cordwood.catalog.server;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A database of its own for each test, in one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlAlertIT extends AbstractAlertTests {
    private Service postgresql;
    private int databases;

    @BeforeAll
    void startDatabase() throws Exception {
        postgresql = TestServices.postgresql();
    }

    @AfterAll
    void stopDatabase() throws Exception {
        postgresql.close();
    }

    @Override
    String jdbcUrl(Path directory) throws Exception {
        databases++;
        try (Connection connection = DriverManager.getConnection(postgresql.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE alerts" + databases);
        }
        return postgresql.url().replace("/postgres?", "/alerts" + databases + "?");
    }
}
