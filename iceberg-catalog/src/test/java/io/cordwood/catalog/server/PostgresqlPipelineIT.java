package io.cordwood.catalog.server;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A database of its own for each test, in one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlPipelineIT extends AbstractPipelineTests {
    private PostgresqlDatabases databases;

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
        return databases.create();
    }
}
