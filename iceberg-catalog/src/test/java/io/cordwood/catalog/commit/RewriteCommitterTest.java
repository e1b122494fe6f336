package io.cordwood.catalog.commit;

import static io.cordwood.catalog.testing.CatalogFixture.IDENTIFIER;
import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.commit.RewriteCommitter.Outcome;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.FaultyCatalog;
import io.cordwood.catalog.testing.FaultyOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewrites of a real table, with commits of others in between and answers that get lost. */
class RewriteCommitterTest {
    private static final int DAY = 20_000;

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
        append(20, 30);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void newFilesStandInThePlaceOfTheOld() throws Exception {
        assertThat(committer(operations -> operations).commit(rewrite(2))).isEqualTo(Outcome.REPLACED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,20)", "topic-A-3[20,30)");
        assertThat(fixture.offset()).as("table offset is left alone").isEqualTo(30);
        assertThat(fixture.table().currentSnapshot().operation()).isEqualTo("replace");
    }

    @Test
    void anAppendInBetweenDoesNoHarm() throws Exception {
        Rewrite rewrite = rewrite(2);
        append(30, 40);
        assertThat(committer(operations -> operations).commit(rewrite)).isEqualTo(Outcome.REPLACED);
        fixture.assertEachRowOnce(PARTITION, 40);
    }

    /** The append comes after the table was loaded, so that the first attempt loses. */
    @Test
    void anAppendThatWinsTheRaceDoesNoHarm() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        RewriteCommitter committer = committer(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                if (first.getAndSet(false)) {
                    append(30, 40);
                }
                reallyCommit(base, metadata);
            }
        });
        assertThat(committer.commit(rewrite(2))).isEqualTo(Outcome.REPLACED);
        fixture.assertEachRowOnce(PARTITION, 40);
        assertThat(first).isFalse();
    }

    @Test
    void theFlushThatLosesAgainstARewriteIsCommittedAllTheSame() throws Exception {
        Rewrite rewrite = rewrite(3);
        AtomicBoolean first = new AtomicBoolean(true);
        Catalog racing = new FaultyCatalog(client.catalog(), operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                if (first.getAndSet(false)) {
                    rewriteNow(rewrite);
                }
                reallyCommit(base, metadata);
            }
        });
        LogBlockCommitter committer =
                new LogBlockCommitter(racing, (tenantId, stream) -> TableOffsets.NONE, (t, s, flush, from) -> {
                    throw new IOException("nothing to rewrite");
                });
        assertThat(committer.commit(TENANT, STREAM, List.of(fixture.flush(30, 40))))
                .extracting(CommitOutcome::status)
                .containsExactly(Status.COMMITTED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,30)", "topic-A-3[30,40)");
    }

    @Test
    void anAnswerThatIsLostDoesNotReplaceTwice() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        RewriteCommitter committer = committer(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                if (first.getAndSet(false)) {
                    throw new CommitStateUnknownException(new IOException("connection reset"));
                }
            }
        });
        assertThat(committer.commit(rewrite(3))).isEqualTo(Outcome.REPLACED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,30)");
    }

    /** Iceberg would clean up after it, and so delete what the table needs. */
    @Test
    void anAnswerThatComesBackAsAConflictBreaksNothing() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        RewriteCommitter committer = committer(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                if (first.getAndSet(false)) {
                    throw new CommitFailedException("main has moved");
                }
            }
        });
        assertThat(committer.commit(rewrite(3))).isEqualTo(Outcome.REPLACED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,30)");
    }

    /** Its files are live, so nobody may be told that they can be deleted. */
    @Test
    void anAttemptWhoseSnapshotHasExpiredIsNotCalledVoid() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        RewriteCommitter committer = committer(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                if (first.getAndSet(false)) {
                    long rewritten = fixture.table().currentSnapshot().snapshotId();
                    append(30, 40);
                    fixture.table()
                            .expireSnapshots()
                            .expireSnapshotId(rewritten)
                            .cleanupLevel(org.apache.iceberg.ExpireSnapshots.CleanupLevel.NONE)
                            .commit();
                    throw new CommitStateUnknownException(new IOException("connection reset"));
                }
            }
        });
        assertThatThrownBy(() -> committer.commit(rewrite(3)))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining("unknown");
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,30)", "topic-A-3[30,40)");
    }

    @Test
    void aFileThatIsGoneMakesItVoid() throws Exception {
        Rewrite late = rewrite(3);
        rewriteNow(rewrite(2));
        assertThat(committer(operations -> operations).commit(late)).isEqualTo(Outcome.REFUSED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,20)", "topic-A-3[20,30)");
    }

    @Test
    void rowsDeletedInBetweenMakeItVoid() throws Exception {
        Rewrite late = rewrite(2);
        Table table = fixture.table();
        DataFile victim = late.replaced().iterator().next();
        table.newRowDelta().addDeletes(deletes(table, victim)).commit();
        assertThat(committer(operations -> operations).commit(late)).isEqualTo(Outcome.REFUSED);
        assertThat(fixture.liveLabels()).hasSize(3);
    }

    @Test
    void deleteFilesGoWithTheirDataFiles() throws Exception {
        Table table = fixture.table();
        DeleteFile deletes = deletes(table, fixture.liveFiles().getFirst());
        table.newRowDelta().addDeletes(deletes).commit();
        Rewrite read = rewrite(3);
        Rewrite rewrite = new Rewrite(
                TENANT, STREAM, read.tableUuid(), read.snapshotId(), read.replaced(), Set.of(deletes), read.written());
        assertThat(committer(operations -> operations).commit(rewrite)).isEqualTo(Outcome.REPLACED);
        assertThat(fixture.table().currentSnapshot().summary()).containsEntry("total-delete-files", "0");
    }

    /** The orphan cleaner took it for the work of somebody who died. */
    @Test
    void aNewFileThatIsGoneMakesItVoid() throws Exception {
        Rewrite late = rewrite(3);
        client.io().deleteFile(late.written().getFirst().location());
        assertThat(committer(operations -> operations).commit(late)).isEqualTo(Outcome.REFUSED);
        assertThat(fixture.liveLabels()).hasSize(3);
    }

    @Test
    void aTableMadeAnewIsLeftAlone() throws Exception {
        Rewrite late = rewrite(3);
        client.catalog().dropTable(IDENTIFIER, false);
        assertThat(committer(operations -> operations).commit(late)).isEqualTo(Outcome.REFUSED);
        fixture.createTable();
        assertThat(committer(operations -> operations).commit(late)).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void aCatalogThatNeverAnswersIsReported() throws Exception {
        RewriteCommitter committer = committer(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                throw new CommitStateUnknownException(new IOException("connection refused"));
            }
        });
        assertThatThrownBy(() -> committer.commit(rewrite(3)))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining("attempts failed");
        assertThat(fixture.liveLabels()).hasSize(3);
    }

    private RewriteCommitter committer(UnaryOperator<TableOperations> faults) {
        return new RewriteCommitter(new FaultyCatalog(client.catalog(), faults), () -> new BackOff(5, 1, 2));
    }

    /** The oldest files in one; each row of the label once. */
    private Rewrite rewrite(int files) {
        Table table = fixture.table();
        Set<DataFile> replaced = new HashSet<>();
        for (DataFile file : fixture.liveFiles()) {
            if (LogBlockNames.label(file.location()).orElseThrow().to() <= files * 10L) {
                replaced.add(file);
            }
        }
        return new Rewrite(
                TENANT,
                STREAM,
                table.uuid().toString(),
                table.currentSnapshot().snapshotId(),
                replaced,
                Set.of(),
                List.of(CatalogFixture.logBlock(table.io(), table.location(), PARTITION, 0, files * 10L, DAY)));
    }

    private void rewriteNow(Rewrite rewrite) {
        try {
            assertThat(new RewriteCommitter(client.catalog()).commit(rewrite)).isEqualTo(Outcome.REPLACED);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void append(long from, long to) {
        LogBlockCommitter committer = new LogBlockCommitter(
                client.catalog(), (tenantId, stream) -> TableOffsets.NONE, (t, s, flush, first) -> {
                    throw new IOException("nothing to rewrite");
                });
        try {
            committer.commit(TENANT, STREAM, List.of(fixture.flush(from, to)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DeleteFile deletes(Table table, DataFile file) {
        PartitionSpec spec = table.spec();
        PartitionData day = new PartitionData(spec.partitionType());
        day.set(0, DAY);
        return FileMetadata.deleteFileBuilder(spec)
                .ofPositionDeletes()
                .withPath(LogBlockNames.newDeletesLocation(table.location()))
                .withFormat(org.apache.iceberg.FileFormat.PARQUET)
                .withFileSizeInBytes(1)
                .withRecordCount(1)
                .withPartition(day)
                .withReferencedDataFile(file.location())
                .build();
    }
}
