package io.cordwood.catalog.server;

import java.nio.file.Path;

class SqlitePipelineTest extends AbstractPipelineTests {
    @Override
    String jdbcUrl(Path directory) {
        return "jdbc:sqlite:" + directory.resolve("catalog.db");
    }
}
