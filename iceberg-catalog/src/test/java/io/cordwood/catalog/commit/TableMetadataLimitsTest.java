package io.cordwood.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableMetadataLimitsTest {
    private final JdbcCatalog catalog = new JdbcCatalog();

    @TempDir
    private Path directory;

    private CatalogFixture fixture;

    @BeforeEach
    void createTable() {
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
                        "V1"));
        fixture = new CatalogFixture(catalog);
        fixture.createTable();
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    @Test
    void dropsOldSnapshotsOnceThereAreEnoughAndDeletesNoFile() throws Exception {
        LogBlockCommitter committer =
                new LogBlockCommitter(catalog, (tenant, stream) -> TableOffsets.NONE, (t, s, f, first) -> List.of());
        long offset = 0;
        while (fixture.snapshots().size() < 50) {
            committer.commit(CatalogFixture.TENANT, CatalogFixture.STREAM, List.of(fixture.flush(offset, offset + 1)));
            offset++;
        }
        List<String> manifestLists = fixture.snapshots().stream()
                .map(snapshot -> snapshot.manifestListLocation())
                .toList();
        long now = System.currentTimeMillis();
        expire(now + Duration.ofMinutes(179).toMillis());
        assertThat(fixture.snapshots())
                .as("maintenance removes it first, with its files")
                .hasSize(50);
        expire(now + Duration.ofMinutes(181).toMillis());
        assertThat(fixture.snapshots()).hasSize(1);
        fixture.assertEachRowOnce(CatalogFixture.PARTITION, offset);
        assertThat(manifestLists)
                .allMatch(
                        location -> fixture.table().io().newInputFile(location).exists());
    }

    @Test
    void manifestsAreMerged() throws Exception {
        LogBlockCommitter committer =
                new LogBlockCommitter(catalog, (tenant, stream) -> TableOffsets.NONE, (t, s, f, first) -> List.of());
        for (long offset = 0; offset < 30; offset++) {
            committer.commit(CatalogFixture.TENANT, CatalogFixture.STREAM, List.of(fixture.flush(offset, offset + 1)));
        }
        assertThat(fixture.table()
                        .currentSnapshot()
                        .allManifests(fixture.table().io()))
                .hasSizeLessThanOrEqualTo(25);
        fixture.assertEachRowOnce(CatalogFixture.PARTITION, 30);
    }

    private void expire(long nowMillis) {
        Table table = fixture.table();
        TableMetadata metadata = ((BaseTable) table).operations().current();
        TableMetadataLimits.expireSnapshots(metadata, table, nowMillis);
    }
}
