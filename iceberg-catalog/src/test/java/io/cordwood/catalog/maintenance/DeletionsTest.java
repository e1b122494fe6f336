package io.cordwood.catalog.maintenance;

import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A deletion is gone when neither an object holds its rows nor a manifest values of them. */
class DeletionsTest {
    @TempDir
    private Path directory;

    private ServiceCatalog service;
    private CatalogClient client;
    private Deletions deletions;

    @BeforeEach
    void start() throws Exception {
        service = new ServiceCatalog(directory);
        client = service.client;
        deletions = new Deletions(client);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void isGoneWhenNoManifestTellsOfItsLogBlocks() throws Exception {
        LogBlockFile victim = service.commit(0, 10, 20_000);
        service.commit(10, 20, 20_000);
        long deleted = table().currentSnapshot().snapshotId();
        client.putDeletion(new Deletion(
                "d",
                TENANT,
                STREAM,
                "any",
                "query",
                "user",
                1,
                1,
                List.of(victim.location()),
                OptionalLong.of(deleted),
                OptionalLong.empty()));
        assertThat(settle()).as("the LogBlock is live").isEqualTo(Deletion.Status.INVISIBLE);
        assertThat(table().currentSnapshot().snapshotId()).isEqualTo(deleted);

        rewrite(victim);
        assertThat(references()).as("the manifest that lists it as removed").hasSize(1);
        Set<String> live = Set.copyOf(service.fixture.liveLabels());
        assertThat(settle()).isEqualTo(Deletion.Status.INVISIBLE);
        assertThat(table().currentSnapshot().dataManifests(table().io()))
                .noneMatch(manifest -> references().contains(manifest.path()));
        assertThat(Set.copyOf(service.fixture.liveLabels())).isEqualTo(live);
        long rewritten = table().currentSnapshot().snapshotId();
        settle();
        assertThat(table().currentSnapshot().snapshotId()).as("once is enough").isEqualTo(rewritten);

        Duration grace = Duration.ofMinutes(1);
        new SnapshotExpiry(client.catalog(), grace)
                .apply(TENANT, STREAM, Instant.now().plus(grace).plusSeconds(1));
        assertThat(service.exists(victim)).isFalse();
        assertThat(references()).isEmpty();
        assertThat(settle()).isEqualTo(Deletion.Status.GONE);
    }

    private Deletion.Status settle() {
        deletions.settle(TENANT, STREAM, 5);
        return client.deletions().getFirst().status();
    }

    private Table table() {
        return service.fixture.table();
    }

    private Set<String> references() {
        try {
            return RemovedFileManifests.of(
                    table().io(),
                    table().snapshots(),
                    client.deletions().getFirst().dataFiles());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As compaction does; the old LogBlock stays for queries that began before. */
    private void rewrite(LogBlockFile victim) {
        Table table = table();
        DataFile file = service.fixture.liveFiles().stream()
                .filter(candidate -> candidate.location().equals(victim.location()))
                .findFirst()
                .orElseThrow();
        LogBlockFile other = service.fixture.logBlock(CatalogFixture.PARTITION, 0, 9, 20_000);
        DataFile replacement = DataFiles.builder(table.spec())
                .copy(file)
                .withPath(other.location())
                .withRecordCount(9)
                .build();
        table.newRewrite().deleteFile(file).addFile(replacement).commit();
    }
}
