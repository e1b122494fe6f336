package io.cordwood.catalog.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.cordwood.catalog.maintenance.LostFiles.Content;
import io.cordwood.catalog.maintenance.LostFiles.Lost;
import io.cordwood.catalog.maintenance.LostFiles.Range;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostFilesTest {
    private static final long DAY = 20_000;

    @TempDir
    private Path directory;

    private ServiceCatalog service;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aTableWithoutRowsOrLossesHasLostNothing() throws Exception {
        assertThat(find()).isEqualTo(new LostFiles(0, List.of()));
        service.commit(0, 10, DAY);
        service.commit(10, 20, DAY);
        assertThat(find()).isEqualTo(new LostFiles(4, List.of()));
    }

    @Test
    void aLostLogBlockTellsItsRows() throws Exception {
        service.commit(0, 10, DAY);
        LogBlockFile lost = service.commit(10, 25, DAY);
        delete(lost.location());
        assertThat(find().lost())
                .containsExactly(new Lost(
                        lost.location(),
                        Content.ROWS,
                        Optional.of(15L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new Range<>(10L, 24L))));
    }

    @Test
    void aLostManifestTellsHowManyRowsItsFilesHad() throws Exception {
        service.commit(0, 10, DAY);
        Table table = service.fixture.table();
        String lost =
                table.currentSnapshot().allManifests(table.io()).getFirst().path();
        service.commit(10, 20, DAY);
        delete(lost);
        assertThat(find().lost())
                .extracting(Lost::location, Lost::content, Lost::rows)
                .containsExactly(tuple(lost, Content.MANIFEST, Optional.of(10L)));
    }

    @Test
    void aLostManifestListTellsHowManyRowsTheTableHad() throws Exception {
        service.commit(0, 10, DAY);
        String lost = service.fixture.table().currentSnapshot().manifestListLocation();
        delete(lost);
        assertThat(find().lost())
                .extracting(Lost::location, Lost::content, Lost::rows)
                .containsExactly(tuple(lost, Content.MANIFEST, Optional.of(10L)));
    }

    @Test
    void lostLogBlocksAreRemovedAndOthersStay() throws Exception {
        LogBlockFile lost = service.commit(0, 10, DAY);
        LogBlockFile kept = service.commit(10, 20, DAY);
        LogBlockFile restored = service.commit(20, 30, DAY);
        delete(lost.location());
        List<Lost> found = new ArrayList<>(find().lost());
        // Restored after it was looked for
        found.add(new Lost(
                restored.location(),
                Content.ROWS,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        new LostFileRemoval(service.catalog()).remove(CatalogFixture.IDENTIFIER, found);
        assertThat(service.fixture.liveFiles())
                .extracting(DataFile::location)
                .containsExactlyInAnyOrder(kept.location(), restored.location());
        assertThat(find().lost()).isEmpty();
        assertThat(service.fixture.offset())
                .as("the job does not ship the rows again")
                .isEqualTo(30);
    }

    private LostFiles find() {
        return LostFiles.find(service.fixture.table());
    }

    private void delete(String location) {
        service.client.io().deleteFile(location);
    }
}
