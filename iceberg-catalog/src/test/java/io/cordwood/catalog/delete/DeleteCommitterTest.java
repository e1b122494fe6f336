package io.cordwood.catalog.delete;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.delete.DeleteCommitter.Deletes;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.FaultyCatalog;
import io.cordwood.catalog.testing.FaultyOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ServiceFailureException;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions through the catalog service: what runs beside them, and answers that are lost. */
class DeleteCommitterTest {
    @TempDir
    private Path directory;

    private CatalogServer server;
    private CatalogClient client;
    private CatalogFixture fixture;

    @BeforeEach
    void start() throws Exception {
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        client = CatalogClient.connect(server.uri(), Map.of());
        fixture = new CatalogFixture(client.catalog());
        fixture.createTable();
        append(0, 10);
        append(10, 20);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void deletesApplyToTheirDataFilesAndLeaveTheOffsetsAlone() throws Exception {
        DataFile file = file(0);
        Deletes deletes = deletes("first", Map.of(file.location(), DeletedRows.of(2, 4)));
        long snapshot = client.deleteCommitter().commit(deletes);
        assertThat(fixture.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
        assertThat(fixture.offset()).isEqualTo(20);
        assertThat(deleted()).containsOnly(Map.entry(file.location(), DeletedRows.of(2, 4)));
        assertThat(tasks().stream()
                        .map(task -> DeletedRows.of(task, client.io()))
                        .toList())
                .containsExactlyInAnyOrder(DeletedRows.of(2, 4), DeletedRows.NONE);
        assertThat(client.deleteCommitter().commit(deletes))
                .as("asked for once more")
                .isEqualTo(snapshot);
        assertThat(deletions()).isEqualTo(1);
    }

    @Test
    void anAppendBesideItIsNoConflict() throws Exception {
        Deletes deletes = deletes("beside", Map.of(file(0).location(), DeletedRows.of(1)));
        new DeleteCommitter(beforeCommit(1, () -> append(20, 30))).commit(deletes);
        assertThat(fixture.offset()).isEqualTo(30);
        assertThat(fixture.liveLabels()).hasSize(3);
        assertThat(deleted()).hasSize(1);
    }

    @Test
    void anotherDeletionBesideItIsNoConflict() throws Exception {
        String location = file(0).location();
        Deletes other = deletes("other", Map.of(location, DeletedRows.of(1, 2)));
        Deletes deletes = deletes("this", Map.of(location, DeletedRows.of(2, 3)));
        new DeleteCommitter(beforeCommit(1, () -> client.deleteCommitter().commit(other))).commit(deletes);
        assertThat(deleted()).containsOnly(Map.entry(location, DeletedRows.of(1, 2, 3)));
        assertThat(deletions()).isEqualTo(2);
    }

    @Test
    void aDataFileThatIsRewrittenBesideItIsNotDeletedFrom() throws Exception {
        DataFile file = file(0);
        Deletes deletes = deletes("late", Map.of(file.location(), DeletedRows.of(1)));
        assertThatThrownBy(() -> new DeleteCommitter(beforeCommit(1, () -> rewrite(file))).commit(deletes))
                .isInstanceOf(RowsMovedException.class)
                .hasMessageContaining(file.location())
                .hasMessageContaining("run the DELETE again");
        assertThat(deleted()).isEmpty();
        assertThat(deletions()).isZero();
    }

    @Test
    void anAnswerThatIsLostIsNoSecondDeletion() throws Exception {
        int number = 0;
        for (Supplier<RuntimeException> lost : List.<Supplier<RuntimeException>>of(
                () -> new CommitStateUnknownException(new IOException("connection reset")),
                () -> new CommitFailedException("conflict"),
                () -> new ServiceFailureException("503"))) {
            Deletes deletes = deletes("lost-" + number++, Map.of(file(0).location(), DeletedRows.of(number)));
            AtomicInteger commits = new AtomicInteger();
            Catalog faulty = new FaultyCatalog(client.catalog(), operations -> new FaultyOperations(operations) {
                @Override
                public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                    reallyCommit(base, metadata);
                    if (commits.getAndIncrement() == 0) {
                        throw lost.get();
                    }
                }
            });
            assertThat(new DeleteCommitter(faulty).commit(deletes))
                    .isEqualTo(fixture.table().currentSnapshot().snapshotId());
            assertThat(commits).hasValue(1);
            assertThat(deletions()).isEqualTo(number);
            // A table of which Iceberg had cleaned up after the failure could not be read
            assertThat(deleted()).hasSize(1);
        }
    }

    @Test
    void aTableMadeAnewIsNotDeletedFrom() throws Exception {
        Deletes deletes = deletes("old", Map.of(file(0).location(), DeletedRows.of(1)));
        client.catalog().dropTable(CatalogFixture.IDENTIFIER, false);
        assertThatThrownBy(() -> client.deleteCommitter().commit(deletes))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining("does not exist");
        fixture.createTable();
        assertThatThrownBy(() -> client.deleteCommitter().commit(deletes))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining("recreated");
    }

    private Deletes deletes(String id, Map<String, DeletedRows> rows) throws IOException {
        Table table = fixture.table();
        return new Deletes(
                id,
                TENANT,
                STREAM,
                table.uuid().toString(),
                table.currentSnapshot().snapshotId(),
                PositionDeleteWriter.write(rows, table.location(), client.io()));
    }

    private void append(long from, long to) throws InterruptedException {
        client.committer((tenant, stream, flush, firstOffset) -> List.of())
                .commit(TENANT, STREAM, List.of(fixture.flush(from, to)));
    }

    /** As compaction does it. */
    private void rewrite(DataFile file) {
        Table table = fixture.table();
        LogBlockFile copy = fixture.logBlock(PARTITION, 0, 10, 20_000);
        DataFile replacement = DataFiles.builder(table.spec())
                .copy(file)
                .withPath(copy.location())
                .build();
        table.newRewrite().deleteFile(file).addFile(replacement).commit();
    }

    private DataFile file(long from) {
        return fixture.liveFiles().stream()
                .filter(file ->
                        LogBlockNames.label(file.location()).orElseThrow().from() == from)
                .findFirst()
                .orElseThrow();
    }

    private List<FileScanTask> tasks() throws IOException {
        List<FileScanTask> all = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = fixture.table().newScan().planFiles()) {
            tasks.forEach(all::add);
        }
        return all;
    }

    private Map<String, DeletedRows> deleted() throws IOException {
        Map<String, DeletedRows> deleted = new java.util.HashMap<>();
        for (FileScanTask task : tasks()) {
            List<DeleteFile> deletes = task.deletes();
            if (!deletes.isEmpty()) {
                deleted.put(task.file().location(), DeletedRows.of(task, client.io()));
            }
        }
        return deleted;
    }

    /** How many snapshots brought a deletion. */
    private long deletions() {
        return fixture.snapshots().stream()
                .filter(snapshot -> snapshot.summary().containsKey(DeleteCommitter.DELETION_PROPERTY))
                .count();
    }

    /** Something that a test runs at the worst time. */
    @FunctionalInterface
    private interface Intruder {
        void run() throws Exception;
    }

    /** The table moves on just before so many commits. */
    private Catalog beforeCommit(int times, Intruder intruder) {
        AtomicInteger left = new AtomicInteger(times);
        return new FaultyCatalog(client.catalog(), operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                if (left.getAndDecrement() > 0) {
                    try {
                        intruder.run();
                    } catch (Exception e) {
                        throw new AssertionError(Arrays.toString(e.getStackTrace()), e);
                    }
                }
                reallyCommit(base, metadata);
            }
        });
    }
}
