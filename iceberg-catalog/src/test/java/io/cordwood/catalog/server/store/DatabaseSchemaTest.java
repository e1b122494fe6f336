package io.cordwood.catalog.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.testing.SqliteCatalog;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of older and newer programs. */
class DatabaseSchemaTest {
    @TempDir
    private Path directory;

    @Test
    void aNewDatabaseHasTheVersionOfItsProgram() throws Exception {
        open();
        assertThat(version()).isEqualTo(DatabaseSchema.VERSION);
        open();
        assertThat(version()).isEqualTo(DatabaseSchema.VERSION);
    }

    /** As the first programs made them: without a version, and without tables that came later. */
    @Test
    void aDatabaseWithoutAVersionIsBroughtToTheFirst() throws Exception {
        try (Database database = Database.open(SqliteCatalog.url(directory))) {
            database.write(connection -> {
                TenantStore.register(connection, "acme");
                return null;
            });
        }
        execute("DROP TABLE cordwood_schema");
        execute("DROP TABLE cordwood_pipelines");
        try (Database database = Database.open(SqliteCatalog.url(directory))) {
            List<Tenant> tenants = database.read(TenantStore::all);
            assertThat(tenants).containsExactly(Tenant.of("acme"));
            Optional<Pipeline> pipeline = database.read(connection -> PipelineStore.find(connection, "acme"));
            assertThat(pipeline).isEmpty();
        }
        assertThat(version()).isEqualTo(DatabaseSchema.VERSION);
    }

    /** Services are upgraded one after the other, and may go back. */
    @Test
    void aProgramWorksOnTheSchemaOfANewerOneThatAllowsIt() throws Exception {
        open();
        int newer = DatabaseSchema.VERSION + 1;
        execute("UPDATE cordwood_schema SET version = %d, oldest_program = %d".formatted(newer, newer - 1));
        open();
        assertThat(version()).as("the newer program's").isEqualTo(newer);
    }

    @Test
    void aProgramRefusesTheSchemaOfANewerOneThatDoesNot() throws Exception {
        open();
        int newer = DatabaseSchema.VERSION + 1;
        execute("UPDATE cordwood_schema SET version = %1$d, oldest_program = %1$d".formatted(newer));
        assertThatThrownBy(this::open)
                .isInstanceOf(DatabaseException.class)
                .hasMessage(
                        "The catalog's database has schema version %d, and this program knows version %d: start a newer"
                                + " version of Cordwood, or restore a backup into another database",
                        newer, newer - 1);
        assertThat(version()).isEqualTo(newer);
    }

    private void open() {
        Database.open(SqliteCatalog.url(directory)).close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(SqliteCatalog.url(directory));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int version() throws SQLException {
        try (Connection connection = DriverManager.getConnection(SqliteCatalog.url(directory));
                Statement statement = connection.createStatement()) {
            return statement.executeQuery("SELECT version FROM cordwood_schema").getInt(1);
        }
    }
}
