package io.cordwood.catalog.server;

import java.nio.file.Path;

class SqliteAlertTest extends AbstractAlertTests {
    @Override
    String jdbcUrl(Path directory) {
        return "jdbc:sqlite:" + directory.resolve("catalog.db");
    }
}
