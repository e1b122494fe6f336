package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.server.PostgresqlDatabases;
import io.cordwood.catalog.testing.SqliteCatalog;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Backups of SQLite are restored into PostgreSQL, and backed up from there. */
class PostgresqlRestoreIT extends AbstractRestoreTests {
    @RegisterExtension
    private static final PostgresqlDatabases databases = new PostgresqlDatabases();

    @Override
    String newDatabase(Path directory) throws Exception {
        return SqliteCatalog.url(directory);
    }

    @Override
    String otherDatabase(Path directory) throws Exception {
        return databases.create();
    }
}
