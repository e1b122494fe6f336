package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.identity.ServiceRole;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The query service adds delete files, and nothing else, whatever its commits say of themselves. */
class QueryCommitsTest {
    private static final TableIdentifier LOGS = TableIdentifier.of("acme", "logs");

    @TempDir
    private Path directory;

    private SecuredService service;
    private String token;
    private Table operators;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory);
        service.admin.ensureTable("acme", "logs", List.of());
        operators = service.admin.catalog().loadTable(LOGS);
        token = service.service(ServiceRole.QUERY);
        for (int i = 0; i < 3; i++) {
            operators.newFastAppend().appendFile(data(i)).commit();
        }
        table = service.client(token).catalog().loadTable(LOGS);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private DataFile data(int i) {
        return DataFiles.builder(operators.spec())
                .withPath("%s/data/%d.parquet".formatted(operators.location(), i))
                .withPartitionPath("ts_day=2024-01-01")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build();
    }

    private FileMetadata.Builder deletes(String location) {
        return FileMetadata.deleteFileBuilder(operators.spec())
                .withPath(location)
                .withPartitionPath("ts_day=2024-01-01")
                .withFileSizeInBytes(10)
                .withRecordCount(1);
    }

    private DeleteFile deletes(int i) {
        return deletes("%s/data/%d-deletes.parquet".formatted(operators.location(), i))
                .ofPositionDeletes()
                .build();
    }

    private String total(String property) {
        return service.admin
                .catalog()
                .loadTable(LOGS)
                .currentSnapshot()
                .summary()
                .get(property);
    }

    @Test
    void deletesAreAddedAlsoWhenThatMergesManifests() {
        operators
                .updateProperties()
                .set("commit.manifest.min-count-to-merge", "2")
                .commit();
        table.refresh();
        for (int i = 0; i < 5; i++) {
            table.newRowDelta().addDeletes(deletes(i)).commit();
        }
        assertThat(total(SnapshotSummary.TOTAL_DELETE_FILES_PROP)).isEqualTo("5");
        assertThat(total(SnapshotSummary.TOTAL_DATA_FILES_PROP)).isEqualTo("3");
        assertThat(table.currentSnapshot().dataManifests(table.io()))
                .as("merged")
                .hasSizeLessThan(3);
    }

    @Test
    void dataFilesAreNeitherRemovedNorAdded() {
        assertThatThrownBy(() -> table.newDelete().deleteFile(data(1)).commit())
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("data file");
        assertThatThrownBy(() -> table.newRowDelta()
                        .addDeletes(deletes(1))
                        .removeRows(data(1))
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> table.newRowDelta()
                        .addRows(data(9))
                        .addDeletes(deletes(1))
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> table.newOverwrite()
                        .deleteFile(data(1))
                        .addFile(data(9))
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        assertThat(total(SnapshotSummary.TOTAL_DATA_FILES_PROP)).isEqualTo("3");
    }

    @Test
    void aSummaryThatLiesIsNotBelieved() throws Exception {
        long parent = table.currentSnapshot().snapshotId();
        String metadata = table.location() + "/metadata/";
        ManifestWriter<DataFile> adds =
                ManifestFiles.write(2, table.spec(), table.io().newOutputFile(metadata + "adds.avro"), 7L);
        adds.add(data(9));
        adds.close();
        forbidden(parent, List.of(adds.toManifestFile()), "lie-1");
        forbidden(parent, List.of(), "lie-2");
        ManifestWriter<DataFile> removes =
                ManifestFiles.write(2, table.spec(), table.io().newOutputFile(metadata + "removes.avro"), 7L);
        for (int i = 0; i < 3; i++) {
            removes.existing(data(i), parent, i + 1, i + 1L);
        }
        removes.delete(data(1), 2, 2L);
        removes.close();
        forbidden(parent, List.of(removes.toManifestFile()), "lie-3");
    }

    private void forbidden(long parent, List<ManifestFile> manifests, String name) throws Exception {
        String list = ForgedSnapshots.manifestList(
                table, "%s/metadata/snap-%s.avro".formatted(table.location(), name), manifests);
        HttpResponse<String> answer = service.send(
                "POST",
                "/v1/namespaces/acme/tables/logs",
                ForgedSnapshots.commit(table.uuid().toString(), list, parent, 4),
                token);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    }

    @Test
    void deletesOfOthersAndOfOtherKindsAreRefused() {
        assertThatThrownBy(() -> table.newRowDelta()
                        .addDeletes(deletes(table.location().replace("acme", "globex") + "/d.parquet")
                                .ofPositionDeletes()
                                .build())
                        .commit())
                .isInstanceOf(BadRequestException.class);
        assertThatThrownBy(() -> table.newRowDelta()
                        .addDeletes(deletes(table.location() + "/data/equal.parquet")
                                .ofEqualityDeletes(1)
                                .build())
                        .commit())
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void deletesAreNotTakenBack() {
        table.newRowDelta().addDeletes(deletes(1)).commit();
        assertThatThrownBy(() -> table.newRowDelta()
                        .addDeletes(deletes(2))
                        .removeDeletes(deletes(1))
                        .commit())
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("drops the deletes");
    }

    @Test
    void aCommitMovesMainToTheSnapshotThatFollows() throws Exception {
        long parent = table.currentSnapshot().snapshotId();
        String list = ForgedSnapshots.manifestList(
                table,
                table.location() + "/metadata/snap-same.avro",
                table.currentSnapshot().allManifests(table.io()));
        String commit = ForgedSnapshots.commit(table.uuid().toString(), list, parent, 4);
        assertThat(status(commit.replaceFirst("(?s),\\s*\\{\"action\":\"set-snapshot-ref\".*\\}\\]\\}", "]}")))
                .isEqualTo(400);
        assertThat(status(commit.replace("\"type\":\"branch\"", "\"type\":\"branch\",\"max-snapshot-age-ms\":1")))
                .isEqualTo(400);
        assertThat(status(commit.replace("\"sequence-number\":4", "\"sequence-number\":" + Long.MAX_VALUE)))
                .isEqualTo(400);
        assertThat(status(commit)).isEqualTo(200);
    }

    private int status(String commit) throws Exception {
        return service.send("POST", "/v1/namespaces/acme/tables/logs", commit, token)
                .statusCode();
    }
}
