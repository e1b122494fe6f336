package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.testing.SqliteCatalog;
import java.nio.file.Path;

class SqliteRestoreTest extends AbstractRestoreTests {
    @Override
    String newDatabase(Path directory) {
        return SqliteCatalog.url(directory);
    }

    @Override
    String otherDatabase(Path directory) {
        return SqliteCatalog.url(directory);
    }
}
