package io.cordwood.catalog.server;

import java.nio.file.Path;

class SqliteCatalogServiceTest extends AbstractCatalogServiceTests {
    private String url;

    @Override
    String jdbcUrl(Path directory) {
        url = "jdbc:sqlite:" + directory.resolve("catalog.db");
        return url;
    }

    @Override
    String lastJdbcUrl() {
        return url;
    }
}
