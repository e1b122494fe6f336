package io.cordwood.catalog.server;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Needs a local installation of PostgreSQL; says so and is skipped where there is none. */
class PostgresqlCatalogServiceIT extends AbstractCatalogServiceTests {
    private static LocalPostgresql postgresql;

    private String url;

    @BeforeAll
    static void startDatabase() throws Exception {
        postgresql = LocalPostgresql.start();
    }

    @AfterAll
    static void stopDatabase() throws Exception {
        if (postgresql != null) {
            postgresql.stop();
        }
    }

    @Override
    String jdbcUrl(Path directory) throws Exception {
        url = postgresql.newDatabase();
        return url;
    }

    @Override
    String lastJdbcUrl() {
        return url;
    }
}
