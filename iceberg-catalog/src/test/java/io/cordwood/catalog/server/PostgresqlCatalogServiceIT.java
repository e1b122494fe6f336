package io.cordwood.catalog.server;

import java.nio.file.Path;
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
}
