package io.cordwood.catalog.server;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database of its own for each test, in one server. */
class PostgresqlPipelineIT extends AbstractPipelineTests {
    @RegisterExtension
    private static final PostgresqlDatabases databases = new PostgresqlDatabases();

    @Override
    String jdbcUrl(Path directory) throws Exception {
        return databases.create();
    }
}
