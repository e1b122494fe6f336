package io.cordwood.catalog.maintenance;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nothing refers to, and what something may yet. */
class OrphanCleanerTest {
    private static final int DAY = 20_000;
    private static final PartitionId OTHER = new PartitionId("topic-A", 4);
    private final Instant now = Instant.now();
    private final Instant nextWeek = now.plus(Duration.ofDays(7));

    @TempDir
    private Path directory;

    private ServiceCatalog service;
    private CatalogFixture fixture;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
        fixture = service.fixture;
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aLogBlockBelowOThatNothingRefersToIsTakenWhateverItsAge() throws Exception {
        LogBlockFile live = service.commit(0, 10, DAY);
        LogBlockFile copy = fixture.logBlock(PARTITION, 0, 10, DAY);
        LogBlockFile within = fixture.logBlock(PARTITION, 2, 8, DAY);
        assertThat(clean(now).deleted()).isEqualTo(2);
        assertThat(service.exists(live)).isTrue();
        assertThat(service.exists(copy)).isFalse();
        assertThat(service.exists(within)).isFalse();
    }

    /** It may wait in a checkpoint for days. */
    @Test
    void aLogBlockThatEndsAboveOIsLeftWhateverItsAge() throws Exception {
        service.commit(0, 10, DAY);
        LogBlockFile next = fixture.logBlock(PARTITION, 5, 11, DAY);
        LogBlockFile ofOther = fixture.logBlock(OTHER, 0, 5, DAY);
        assertThat(clean(nextWeek).deleted()).isZero();
        assertThat(service.exists(next)).isTrue();
        assertThat(service.exists(ofOther)).isTrue();
        service.commit(fixture.flush(PARTITION, 10, 11, List.of()));
        assertThat(clean(now).deleted()).isEqualTo(1);
        assertThat(service.exists(next)).isFalse();
    }

    @Test
    void whatAnOlderSnapshotRefersToIsLeft() throws Exception {
        LogBlockFile dropped = service.commit(0, 10, DAY);
        service.commit(10, 20, DAY);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        assertThat(clean(nextWeek).deleted()).isZero();
        assertThat(service.exists(dropped)).isTrue();
        fixture.table()
                .expireSnapshots()
                .expireOlderThan(Long.MAX_VALUE)
                .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                .commit();
        assertThat(clean(now).deleted()).isEqualTo(1);
        assertThat(service.exists(dropped)).isFalse();
    }

    @Test
    void otherObjectsAreTakenByAge() throws Exception {
        service.commit(0, 10, DAY);
        String merged = written(LogBlockNames.newMergedLocation(fixture.table().location(), DAY, false));
        String young = written(LogBlockNames.newMergedLocation(
                fixture.table().location(),
                DAY,
                true,
                now.plus(Duration.ofDays(6)).toEpochMilli()));
        String deletes = written(fixture.table().location() + "/data/deletes.parquet");
        String manifest = written(fixture.table().location() + "/metadata/orphan-m0.avro");
        String unknown = written(fixture.table().location() + "/metadata/99999-orphan.gz.metadata.json");
        List<String> all = List.of(merged, young, deletes, manifest, unknown);
        assertThat(clean(now.plus(Duration.ofHours(23))).deleted()).isZero();
        assertThat(all).allMatch(service::exists);
        assertThat(clean(now.plus(Duration.ofHours(25))).deleted()).isEqualTo(4);
        assertThat(all)
                .filteredOn(service::exists)
                .as("its name says that it is young")
                .containsExactly(young);
        fixture.assertEachRowOnce(PARTITION, 10);
    }

    @Test
    void nothingThatIsReferredToIsEverTaken() throws Exception {
        for (int i = 0; i < 40; i++) {
            service.commit(i, i + 1, DAY + i % 3);
        }
        List<String> before = objects();
        OrphanCleaner.Cleaned cleaned = clean(nextWeek);
        List<String> kept = objects();
        assertThat(cleaned.objects()).isEqualTo(before.size());
        fixture.assertEachRowOnce(PARTITION, 40);
        assertThat(fixture.snapshots())
                .hasSize(40)
                .allSatisfy(snapshot -> assertThat(
                                snapshot.allManifests(fixture.table().io()))
                        .allMatch(manifest -> service.exists(manifest.path())));
        assertThat(kept)
                .allMatch(before::contains)
                .filteredOn(name -> name.contains("/data/"))
                .hasSize(40);
        assertThat(clean(nextWeek).deleted()).as("it was clean").isZero();
    }

    /** The commit of a LogBlock that was listed, or is listed, while its commit goes on. */
    @Test
    void aCommitDuringASearchForOrphansIsNotHarmed() throws Exception {
        service.commit(0, 10, DAY);
        LogBlockFile underWay = fixture.logBlock(PARTITION, 10, 20, DAY);
        Catalog racing =
                service.afterFirstLoad(() -> service.commit(fixture.flush(PARTITION, 10, 20, List.of(underWay))));
        new OrphanCleaner(racing).clean(TENANT, STREAM, now);
        assertThat(service.exists(underWay)).isTrue();
        fixture.assertEachRowOnce(PARTITION, 20);
        assertThat(fixture.liveFiles()).allMatch(file -> service.exists(file.location()));
    }

    @Test
    void objectsBesideTheTableAreIgnored() throws Exception {
        service.commit(0, 10, DAY);
        String beside = written(fixture.table().location() + "/notes.txt");
        String ofNeighbour = written(fixture.table().location() + "-2/data/x.parquet");
        clean(nextWeek);
        assertThat(List.of(beside, ofNeighbour)).allMatch(service::exists);
    }

    @Test
    void aTableThatDoesNotExistHasNoOrphans() {
        assertThat(new OrphanCleaner(service.catalog()).clean("nobody", STREAM, now))
                .isEqualTo(OrphanCleaner.Cleaned.NOTHING);
    }

    private OrphanCleaner.Cleaned clean(Instant time) {
        return new OrphanCleaner(service.catalog()).clean(TENANT, STREAM, time);
    }

    private List<String> objects() {
        List<String> locations = new ArrayList<>();
        SupportsPrefixOperations store =
                (SupportsPrefixOperations) fixture.table().io();
        for (FileInfo object : store.listPrefix(fixture.table().location())) {
            locations.add(object.location());
        }
        return locations;
    }

    private String written(String location) throws IOException {
        try (PositionOutputStream out =
                fixture.table().io().newOutputFile(location).create()) {
            out.write(1);
        }
        return location;
    }
}
