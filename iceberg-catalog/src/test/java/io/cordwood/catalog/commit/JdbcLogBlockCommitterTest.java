package io.cordwood.catalog.commit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.SqliteCatalog;
import java.nio.file.Path;
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
    public Catalog catalog() {
        if (catalog == null) {
            catalog = new JdbcCatalog();
            catalog.initialize("cordwood", SqliteCatalog.properties(directory));
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
