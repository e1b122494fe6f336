package io.cordwood.catalog.server;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A database of its own for each test, in one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlCatalogServiceIT extends AbstractCatalogServiceTests {
    private PostgresqlDatabases databases;
    private String url;

    @BeforeAll
    void startDatabase() throws Exception {
        databases = PostgresqlDatabases.start();
    }

    @AfterAll
    void stopDatabase() throws Exception {
        databases.close();
    }

    @Override
    String jdbcUrl(Path directory) throws Exception {
        url = databases.create();
        return url;
    }

    @Override
    String lastJdbcUrl() {
        return url;
    }
}
