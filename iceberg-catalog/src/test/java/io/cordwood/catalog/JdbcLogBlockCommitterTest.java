package io.cordwood.catalog;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committer on Iceberg's JDBC catalog, without a service in between. */
class JdbcLogBlockCommitterTest extends AbstractLogBlockCommitterTests {
    @TempDir
    private Path directory;

    private JdbcCatalog catalog;

    @Override
    Catalog catalog() {
        if (catalog == null) {
            catalog = new JdbcCatalog();
            catalog.initialize(
                    "cordwood",
                    Map.of(
                            "uri",
                            "jdbc:sqlite:" + directory.resolve("catalog.db"),
                            "warehouse",
                            "file://" + directory.resolve("warehouse"),
                            "io-impl",
                            LocalFileIO.class.getName(),
                            "jdbc.schema-version",
                            "V1",
                            "jdbc.journal_mode",
                            "WAL",
                            "jdbc.busy_timeout",
                            "30000"));
        }
        return catalog;
    }

    /** The service refuses to store such a thing. */
    @Test
    void malformedOffsetsStopTheTableAtOnce() {
        fixture.table().updateProperties().set(TableOffsets.PROPERTY, "{").commit();
        assertThatThrownBy(() -> commit(fixture.flush(0, 10)))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining(TableOffsets.PROPERTY);
    }

    @AfterEach
    void close() {
        catalog.close();
    }
}
