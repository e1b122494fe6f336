package io.cordwood.catalog.maintenance;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.TableMetadataLimits;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.FileIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots and manifests of a table that is committed to all day. */
class SnapshotExpiryTest {
    private static final int DAY = 20_000;

    @TempDir
    private Path directory;

    private ServiceCatalog service;
    private CatalogFixture fixture;
    private SnapshotExpiry expiry;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
        fixture = service.fixture;
        expiry = new SnapshotExpiry(service.catalog());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void oldSnapshotsGoWithTheFilesThatOnlyTheyNeed() throws Exception {
        LogBlockFile dropped = service.commit(0, 1, DAY);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        for (int i = 1; i < 30; i++) {
            service.commit(i, i + 1, DAY);
        }
        List<String> before = metadataOfSnapshots();
        SnapshotExpiry.Done done = apply(Duration.ofMinutes(30));
        assertThat(done.snapshotsExpired()).as("within the grace").isZero();
        done = apply(Duration.ofMinutes(61));
        assertThat(done.snapshotsExpired()).isEqualTo(30);
        List<String> after = metadataOfSnapshots();
        assertThat(fixture.snapshots()).hasSize(1);
        assertThat(before).filteredOn(service::exists).containsExactlyInAnyOrderElementsOf(after);
        assertThat(service.exists(dropped)).isFalse();
        assertThat(fixture.liveFiles()).hasSize(29).allMatch(file -> service.exists(file.location()));
    }

    @Test
    void fewSnapshotsWaitForOneAnother() throws Exception {
        for (int i = 0; i < 5; i++) {
            service.commit(i, i + 1, DAY);
        }
        TableMetadata metadata = metadata();
        Instant due = Instant.ofEpochMilli(expiry.nextOldSnapshotMillis(metadata));
        assertThat(expiry.hasOldSnapshots(metadata, due.minusMillis(1))).isFalse();
        assertThat(expiry.hasOldSnapshots(metadata, due)).isTrue();
        assertThat(apply(Duration.ofHours(2)).snapshotsExpired()).isZero();
        assertThat(apply(Duration.ofHours(8)).snapshotsExpired()).isEqualTo(4);
    }

    /** Nothing is committed after the files were removed, so their removal itself is never old. */
    @Test
    void whatTheNewestSnapshotRemovedGoesAGraceAfterIt() throws Exception {
        LogBlockFile dropped = service.commit(0, 1, DAY);
        service.commit(1, 2, DAY);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        assertThat(apply(Duration.ofMinutes(30)).snapshotsExpired()).isZero();
        assertThat(service.exists(dropped)).isTrue();
        assertThat(apply(Duration.ofMinutes(61)).snapshotsExpired()).isEqualTo(2);
        assertThat(service.exists(dropped)).isFalse();
        assertThat(fixture.liveFiles())
                .singleElement()
                .satisfies(file -> assertThat(service.exists(file.location())).isTrue());
    }

    /** Iceberg would use this machine's clock. Were that ahead, snapshots would have to be young to stay. */
    @Test
    void snapshotsAreAsOldAsTheTimeThatIsGiven() throws Exception {
        fixture.table()
                .updateProperties()
                .set(TableProperties.MAX_SNAPSHOT_AGE_MS, "1")
                .commit();
        LogBlockFile dropped = service.commit(0, 1, DAY);
        service.commit(1, 2, DAY);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        long last = fixture.table().currentSnapshot().timestampMillis();
        while (System.currentTimeMillis() <= last + 1) {
            Thread.onSpinWait();
        }
        service.commit(2, 3, DAY);
        service.commit(3, 4, DAY);
        Instant now =
                Instant.ofEpochMilli(last).plus(SnapshotExpiry.DEFAULT_GRACE).plusMillis(1);
        assertThat(expiry.apply(TENANT, STREAM, now).snapshotsExpired()).isEqualTo(2);
        assertThat(fixture.snapshots()).hasSize(3);
    }

    /** A query may have begun just before another snapshot took its place, however old it was then. */
    @Test
    void aSnapshotStaysAGraceAfterItLostItsPlace() throws Exception {
        LogBlockFile dropped = service.commit(0, 1, DAY);
        SnapshotExpiry quick = new SnapshotExpiry(service.catalog(), Duration.ofSeconds(3));
        Thread.sleep(4_000);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        Instant justAfter = Instant.ofEpochMilli(
                        fixture.table().currentSnapshot().timestampMillis())
                .plusSeconds(1);
        quick.apply(TENANT, STREAM, justAfter);
        assertThat(service.exists(dropped)).isTrue();
        assertThat(fixture.snapshots()).hasSize(2);
    }

    @Test
    void whatATagNamesStays() throws Exception {
        LogBlockFile dropped = service.commit(0, 1, DAY);
        long tagged = fixture.table().currentSnapshot().snapshotId();
        service.commit(1, 2, DAY);
        fixture.table().newDelete().deleteFile(dropped.location()).commit();
        fixture.table().manageSnapshots().createTag("audit", tagged).commit();
        assertThat(apply(Duration.ofMinutes(61)).snapshotsExpired()).isEqualTo(1);
        assertThat(service.exists(dropped)).isTrue();
        assertThat(fixture.snapshots()).hasSize(2);
    }

    @Test
    void manySnapshotsAreDueAtTheGrace() throws Exception {
        for (int i = 0; i < 12; i++) {
            service.commit(i, i + 1, DAY);
        }
        TableMetadata metadata = metadata();
        Instant due = Instant.ofEpochMilli(expiry.nextOldSnapshotMillis(metadata));
        assertThat(due).isBefore(Instant.now().plus(Duration.ofMinutes(61)));
        assertThat(expiry.hasOldSnapshots(metadata, due.minusMillis(1))).isFalse();
        assertThat(expiry.hasOldSnapshots(metadata, due)).isTrue();
    }

    @Test
    void manySmallManifestsAreMerged() throws Exception {
        fixture.table()
                .updateProperties()
                .set("commit.manifest.min-count-to-merge", "1000")
                .commit();
        for (int i = 0; i < 60; i++) {
            service.commit(i, i + 1, DAY + i);
        }
        assertThat(dataManifests()).hasSize(60);
        assertThat(apply(Duration.ZERO).manifestsMerged()).isEqualTo(59);
        assertThat(dataManifests()).hasSize(1);
        fixture.assertEachRowOnce(PARTITION, 60);
        assertThat(fixture.offset()).isEqualTo(60);
        assertThat(apply(Duration.ZERO)).isEqualTo(SnapshotExpiry.Done.NOTHING);
    }

    @Test
    void aCommitInBetweenLosesNothing() throws Exception {
        for (int i = 0; i < 30; i++) {
            service.commit(i, i + 1, DAY);
        }
        expiry = new SnapshotExpiry(service.beforeFirstCommit(() -> service.commit(30, 31, DAY)));
        apply(Duration.ofMinutes(61));
        fixture.assertEachRowOnce(PARTITION, 31);
        assertThat(fixture.snapshots())
                .as("the commit, and what it was built upon")
                .hasSize(2);
        assertThat(metadataOfSnapshots()).allMatch(service::exists);
        assertThat(fixture.liveFiles()).allMatch(file -> service.exists(file.location()));
    }

    @Test
    void anAnswerThatIsLostBreaksNothing() throws Exception {
        for (int i = 0; i < 30; i++) {
            service.commit(i, i + 1, DAY);
        }
        expiry = new SnapshotExpiry(service.losingFirstAnswer(new CommitFailedException("main has changed")));
        apply(Duration.ofMinutes(61));
        fixture.assertEachRowOnce(PARTITION, 30);
        assertThat(metadataOfSnapshots()).allMatch(service::exists);
        assertThat(fixture.snapshots()).hasSize(1);
    }

    /** Where maintenance does not run, commits themselves keep the metadata bounded, and delete nothing. */
    @Test
    void whatACommitDropsIsLeftToTheOrphanCleaner() throws Exception {
        for (int i = 0; i < 60; i++) {
            service.commit(i, i + 1, DAY);
        }
        List<String> before = metadataOfSnapshots();
        TableMetadata metadata = metadata();
        TableMetadataLimits.expireSnapshots(
                metadata,
                fixture.table(),
                System.currentTimeMillis() + Duration.ofHours(4).toMillis());
        assertThat(fixture.snapshots()).hasSize(1);
        assertThat(before).allMatch(service::exists);
        Instant later = Instant.now().plus(Duration.ofHours(25));
        new OrphanCleaner(service.catalog()).clean(TENANT, STREAM, later);
        assertThat(before).filteredOn(service::exists).containsExactlyInAnyOrderElementsOf(metadataOfSnapshots());
        fixture.assertEachRowOnce(PARTITION, 60);
    }

    private SnapshotExpiry.Done apply(Duration later) {
        return expiry.apply(TENANT, STREAM, Instant.now().plus(later));
    }

    private TableMetadata metadata() {
        return ((BaseTable) fixture.table()).operations().current();
    }

    private List<ManifestFile> dataManifests() {
        return fixture.table().currentSnapshot().dataManifests(fixture.table().io());
    }

    /** Manifest lists and manifests of all snapshots. */
    private List<String> metadataOfSnapshots() {
        FileIO io = fixture.table().io();
        List<String> locations = new ArrayList<>();
        for (Snapshot snapshot : fixture.snapshots()) {
            locations.add(snapshot.manifestListLocation());
            snapshot.allManifests(io).forEach(manifest -> locations.add(manifest.path()));
        }
        return locations.stream().distinct().toList();
    }
}
