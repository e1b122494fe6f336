package io.cordwood.catalog.commit;

import static io.cordwood.catalog.testing.CatalogFixture.IDENTIFIER;
import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.CommitterRace;
import io.cordwood.catalog.testing.FaultyCatalog;
import io.cordwood.catalog.testing.FaultyOperations;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The lines of the offsets protocol that the committer keeps, and for each "because" a test that goes wrong without it.
 * Run against every kind of catalog.
 */
public abstract class AbstractLogBlockCommitterTests {
    private static final PartitionId OTHER = new PartitionId("topic-A", 4);

    public CatalogFixture fixture;
    private TableOffsets archivedThrough = TableOffsets.NONE;
    private TableOffsets raised = TableOffsets.NONE;

    /** The catalog under test, empty. */
    public abstract Catalog catalog();

    @BeforeEach
    void createTable() {
        fixture = new CatalogFixture(catalog());
        fixture.createTable();
    }

    @Test
    void aFlushThatBeginsAtOIsAppendedAndMovesO() throws Exception {
        List<CommitOutcome> outcomes = commit(fixture.flush(0, 10));
        assertThat(statuses(outcomes)).containsExactly(Status.COMMITTED);
        assertThat(outcomes.getFirst().tableOffset()).isEqualTo(10);
        assertThat(fixture.offset()).isEqualTo(10);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)");
        assertThat(statuses(commit(fixture.flush(10, 25)))).containsExactly(Status.COMMITTED);
        assertThat(fixture.offset()).isEqualTo(25);
        fixture.assertEachRowOnce(PARTITION, 25);
    }

    @Test
    void allFlushesOfATableAreOneSnapshotThatNamesWhatChanged() throws Exception {
        List<CommitOutcome> outcomes = commit(fixture.flush(10, 20), fixture.flush(OTHER, 0, 7), fixture.flush(0, 10));
        assertThat(statuses(outcomes)).containsOnly(Status.COMMITTED);
        assertThat(outcomes).extracting(outcome -> outcome.flush().from()).containsExactly(10L, 0L, 0L);
        assertThat(fixture.snapshots()).hasSize(1);
        assertThat(fixture.table().currentSnapshot().summary())
                .containsEntry(TableOffsets.CHANGED_PROPERTY, "{\"topic-A\":{\"3\":20,\"4\":7}}")
                .containsEntry("added-data-files", "3")
                .containsEntry("added-records", "27");
        commit(fixture.flush(OTHER, 7, 9));
        assertThat(fixture.table().currentSnapshot().summary())
                .containsEntry(TableOffsets.CHANGED_PROPERTY, "{\"topic-A\":{\"4\":9}}");
        assertThat(fixture.offsets().toJson()).isEqualTo("{\"topic-A\":{\"3\":20,\"4\":9}}");
    }

    /** As tables of many commits are found by one request. */
    @Test
    void aTableThatWasFoundBeforeIsNotFoundAgain() throws Exception {
        CommitTables.Found before = found();
        CommitTables none = new CommitTables() {
            @Override
            public Found find(String tenantId, String stream) {
                throw new AssertionError("found again");
            }

            @Override
            public Map<String, Found> findAll(String stream, Set<String> tenantIds) {
                throw new AssertionError("found again");
            }

            @Override
            public void raiseFloors(String tenantId, String stream, TableOffsets offsets) {
                throw new AssertionError("there is a table");
            }
        };
        List<CommitOutcome> outcomes = new LogBlockCommitter(none, this::rewrite, BackOff::ofCommits, Clock.systemUTC())
                .commit(TENANT, STREAM, List.of(fixture.flush(0, 10)), Optional.of(before));
        assertThat(statuses(outcomes)).containsExactly(Status.COMMITTED);
    }

    /** Its rows would be dropped by a floor that was raised above them. */
    @Test
    void aTableThatIsNewSinceNoneWasFoundIsFoundAgain() throws Exception {
        CommitTables.Found none = new CommitTables.Found(TableOffsets.of(Map.of(PARTITION, 5L)), Optional.empty());
        List<CommitOutcome> outcomes = committer(catalog(), this::rewrite)
                .commit(TENANT, STREAM, List.of(fixture.flush(0, 10)), Optional.of(none));
        assertThat(statuses(outcomes)).containsExactly(Status.COMMITTED);
        assertThat(raised).isEqualTo(TableOffsets.NONE);
    }

    /** What was found a while ago must not make the job give its checkpoint up. */
    @Test
    void aTableThatWasDroppedSinceItWasFoundIsFoundAgain() throws Exception {
        CommitTables.Found before = found();
        Flush flush = fixture.flush(0, 10);
        flush.files().forEach(file -> fixture.table().io().deleteFile(file.location()));
        catalog().dropTable(IDENTIFIER);
        archivedThrough = TableOffsets.of(Map.of(PARTITION, 10L));
        assertThat(statuses(committer(catalog(), this::rewrite)
                        .commit(TENANT, STREAM, List.of(flush), Optional.of(before))))
                .containsExactly(Status.ALREADY_THERE);
    }

    private CommitTables.Found found() {
        return new CatalogTables(catalog(), (tenantId, stream) -> TableOffsets.NONE).find(TENANT, STREAM);
    }

    @Test
    void aTableThatHasChangedSinceItWasFoundIsFoundAgain() throws Exception {
        CommitTables.Found before = found();
        commit(fixture.flush(0, 10));
        List<CommitOutcome> outcomes = committer(catalog(), this::rewrite)
                .commit(
                        TENANT,
                        STREAM,
                        List.of(fixture.flush(0, 10), fixture.flush(10, 20), fixture.flush(OTHER, 0, 7)),
                        Optional.of(before));
        assertThat(statuses(outcomes)).containsExactly(Status.ALREADY_THERE, Status.COMMITTED, Status.COMMITTED);
        fixture.assertEachRowOnce(PARTITION, 20);
        fixture.assertEachRowOnce(OTHER, 7);
    }

    @Test
    void aFlushOfSeveralDaysHasAFileInEachPartition() throws Exception {
        List<LogBlockFile> files =
                List.of(fixture.logBlock(PARTITION, 0, 10, 20_000), fixture.logBlock(PARTITION, 0, 10, 20_001));
        commit(fixture.flush(PARTITION, 0, 10, files));
        assertThat(fixture.liveFiles())
                .extracting(file -> file.partition().get(0, Integer.class))
                .containsExactlyInAnyOrder(20_000, 20_001);
    }

    @Test
    void rowsBelowTheTableOffsetAreDropped() throws Exception {
        commit(fixture.flush(0, 10));
        Flush overlapping = fixture.flush(4, 16);
        assertThat(statuses(commit(overlapping))).containsExactly(Status.COMMITTED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)", "topic-A-3[10,16)");
        assertThat(exists(overlapping)).as("the original file is left alone").isTrue();
    }

    @Test
    void aFlushWhoseRowsAreAllBeyondOIsTakenAsItIs() throws Exception {
        commit(fixture.flush(0, 10));
        LogBlockFile beyond = fixture.logBlock(PARTITION, 10, 16, 20_000);
        LogBlockCommitter committer = committer(catalog(), (tenant, stream, flush, firstOffset) -> {
            throw new IOException("nothing to rewrite");
        });
        assertThat(statuses(
                        committer.commit(TENANT, STREAM, List.of(fixture.flush(PARTITION, 4, 16, List.of(beyond))))))
                .containsExactly(Status.COMMITTED);
        assertThat(fixture.liveFiles()).extracting(DataFile::location).contains(beyond.location());
        assertThat(fixture.offset()).isEqualTo(16);
    }

    @Test
    void aFlushWithoutNewRowsStillMovesTheTableOffset() throws Exception {
        commit(fixture.flush(0, 10));
        LogBlockCommitter committer = committer(catalog(), (tenant, stream, flush, firstOffset) -> List.of());
        assertThat(statuses(committer.commit(TENANT, STREAM, List.of(fixture.flush(4, 16)))))
                .containsExactly(Status.COMMITTED);
        assertThat(fixture.offset()).isEqualTo(16);
    }

    @Test
    void withoutAFileAnEmptyAppendMovesMainWithO() throws Exception {
        commit(fixture.flush(0, 10));
        Snapshot before = fixture.table().currentSnapshot();
        assertThat(statuses(commit(fixture.flush(PARTITION, 10, 20, List.of()))))
                .containsExactly(Status.COMMITTED);
        Snapshot after = fixture.table().currentSnapshot();
        assertThat(after.snapshotId()).isNotEqualTo(before.snapshotId());
        assertThat(after.parentId()).isEqualTo(before.snapshotId());
        assertThat(fixture.offset()).isEqualTo(20);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)");
    }

    @Test
    void whatIsThereAlreadyIsForgottenAndNothingIsDeleted() throws Exception {
        Flush flush = fixture.flush(0, 10);
        commit(flush);
        Flush copy = fixture.flush(0, 10);
        Flush within = fixture.flush(2, 8);
        long snapshot = fixture.table().currentSnapshot().snapshotId();
        assertThat(statuses(commit(flush, copy, within))).containsOnly(Status.ALREADY_THERE);
        assertThat(fixture.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
        assertThat(exists(flush)).isTrue();
        assertThat(exists(copy)).isTrue();
        assertThat(exists(within)).isTrue();
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)");
    }

    @Test
    void aFlushAboveOMeansThatOneIsMissing() throws Exception {
        List<CommitOutcome> outcomes = commit(fixture.flush(5, 10), fixture.flush(OTHER, 0, 7));
        assertThat(statuses(outcomes)).containsExactly(Status.MISSING, Status.COMMITTED);
        assertThat(fixture.offset()).isZero();
        assertThat(fixture.liveLabels()).containsExactly("topic-A-4[0,7)");
        long snapshot = fixture.table().currentSnapshot().snapshotId();
        assertThat(statuses(commit(fixture.flush(5, 10)))).containsExactly(Status.MISSING);
        assertThat(fixture.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    }

    @Test
    void oMeansAtLeastW() throws Exception {
        archivedThrough = TableOffsets.NONE.with(PARTITION, 100);
        assertThat(statuses(commit(fixture.flush(40, 100), fixture.flush(100, 110), fixture.flush(111, 120))))
                .containsExactly(Status.ALREADY_THERE, Status.COMMITTED, Status.MISSING);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[100,110)");
        assertThat(statuses(commit(fixture.flush(OTHER, 0, 5)))).containsExactly(Status.COMMITTED);
        archivedThrough = TableOffsets.NONE.with(OTHER, 8);
        assertThat(statuses(commit(fixture.flush(OTHER, 5, 12)))).containsExactly(Status.COMMITTED);
        assertThat(fixture.liveLabels()).contains("topic-A-4[8,12)");
    }

    @Test
    void aFileThatIsGoneIsNotCommitted() throws Exception {
        Flush flush = fixture.flush(0, 10);
        fixture.table().io().deleteFile(flush.files().getFirst().location());
        assertThat(statuses(commit(flush, fixture.flush(10, 20), fixture.flush(OTHER, 0, 3))))
                .containsExactly(Status.FILES_UNUSABLE, Status.MISSING, Status.COMMITTED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-4[0,3)");
    }

    @Test
    void aFileOfATableThatWasDroppedIsNotCommittedToItsSuccessor() throws Exception {
        Flush flush = fixture.flush(0, 10);
        commit(flush);
        Flush next = fixture.flush(10, 20);
        catalog().dropTable(IDENTIFIER, false);
        fixture.createTable();
        archivedThrough = TableOffsets.NONE.with(PARTITION, 15);
        assertThat(statuses(commit(flush, next))).containsExactly(Status.ALREADY_THERE, Status.FILES_UNUSABLE);
        assertThat(fixture.liveFiles()).isEmpty();
    }

    @Test
    void withoutATableOnlyWhatLiesBelowTheFloorIsForgotten() throws Exception {
        Flush flush = fixture.flush(0, 10);
        Flush idle = fixture.flush(PARTITION, 10, 30, List.of(fixture.logBlock(PARTITION, 10, 15, 20_000)));
        Flush next = fixture.flush(30, 40);
        catalog().dropTable(IDENTIFIER, false);
        assertThat(statuses(commit(flush)))
                .as("written for a table that is gone: read again for the next one")
                .containsExactly(Status.FILES_UNUSABLE);
        archivedThrough = TableOffsets.NONE.with(PARTITION, 10);
        assertThat(statuses(commit(flush, idle))).containsExactly(Status.ALREADY_THERE, Status.FILES_UNUSABLE);
        archivedThrough = TableOffsets.NONE.with(PARTITION, 15);
        raised = TableOffsets.NONE;
        assertThat(statuses(commit(idle, flush))).containsOnly(Status.ALREADY_THERE);
        assertThat(raised).as("the next flush begins there").isEqualTo(TableOffsets.NONE.with(PARTITION, 30));
        archivedThrough = raised;
        assertThat(statuses(commit(flush, idle, next)))
                .containsExactly(Status.ALREADY_THERE, Status.ALREADY_THERE, Status.FILES_UNUSABLE);
        fixture.createTable();
        assertThat(statuses(commit(fixture.flush(30, 40)))).containsExactly(Status.COMMITTED);
    }

    @Test
    void aFlushOfADroppedTableMovesOOfItsSuccessorIfItsRowsLieBelowTheFloor() throws Exception {
        Flush idle = fixture.flush(PARTITION, 0, 30, List.of(fixture.logBlock(PARTITION, 0, 15, 20_000)));
        catalog().dropTable(IDENTIFIER, false);
        fixture.createTable();
        archivedThrough = TableOffsets.NONE.with(PARTITION, 15);
        assertThat(statuses(commit(idle, fixture.flush(30, 40)))).containsOnly(Status.COMMITTED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[30,40)");
        assertThat(fixture.offset()).isEqualTo(40);
    }

    @Test
    void offsetsOfTopicsThatAreGoneAreDropped() throws Exception {
        PartitionId old = new PartitionId("topic-old", 0);
        commit(fixture.flush(0, 10), fixture.flush(old, 0, 3));
        committer(catalog(), this::rewrite).commit(TENANT, STREAM, List.of(fixture.flush(10, 20)), Set.of("topic-old"));
        assertThat(fixture.offsets()).isEqualTo(TableOffsets.NONE.with(PARTITION, 20));
    }

    /** How the answer to a commit that succeeded can appear. */
    enum LostAnswer {
        CONFLICT,
        UNKNOWN,
        BROKEN_CONNECTION,
        DENIED;

        RuntimeException exception() {
            return switch (this) {
                case CONFLICT -> new CommitFailedException("the requirement failed: main has changed");
                case UNKNOWN -> new CommitStateUnknownException(new IOException("503"));
                case BROKEN_CONNECTION -> new IllegalStateException("connection reset");
                case DENIED -> new ForbiddenException("token expired while the answer was under way");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLostAnswerIsFoundOutByReadingO(LostAnswer answer) throws Exception {
        commit(fixture.flush(0, 10));
        Flush flush = fixture.flush(10, 20);
        LogBlockCommitter committer = committer(losingFirstAnswer(answer), this::rewrite);
        assertThat(statuses(committer.commit(TENANT, STREAM, List.of(flush)))).containsExactly(Status.COMMITTED);
        assertThat(fixture.snapshots()).hasSize(2);
        assertThat(fixture.offset()).isEqualTo(20);
        fixture.assertEachRowOnce(PARTITION, 20);
    }

    /** Why every exception becomes one of unknown state: Iceberg alone deletes a committed snapshot's manifest list. */
    @Test
    void becauseIcebergCleansUpAfterAConflictThatWasASuccess() {
        Flush flush = fixture.flush(0, 10);
        Table table = losingFirstAnswer(LostAnswer.CONFLICT).loadTable(IDENTIFIER);
        table.updateProperties().set("commit.retry.num-retries", "0").commit();
        Table again = losingFirstAnswer(LostAnswer.CONFLICT).loadTable(IDENTIFIER);
        assertThatThrownBy(() -> appendWithoutProtocol(again, flush, 10)).isInstanceOf(CommitFailedException.class);
        assertThat(fixture.snapshots()).hasSize(1);
        assertThatThrownBy(fixture::liveFiles).isInstanceOf(NotFoundException.class);
    }

    /** Two jobs hold the same rows, one commits while the other is between its check and its commit. */
    @Test
    void aConcurrentCommitOfTheSameRowsIsNoticed() throws Exception {
        commit(fixture.flush(0, 10));
        Flush ours = fixture.flush(10, 20);
        Flush theirs = fixture.flush(10, 20);
        Catalog racing = beforeFirstCommitOrRefresh(() -> commit(theirs));
        assertThat(statuses(committer(racing, this::rewrite).commit(TENANT, STREAM, List.of(ours))))
                .containsExactly(Status.ALREADY_THERE);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)", "topic-A-3[10,20)");
    }

    @Test
    void rowsOfAConcurrentCommitAreDropped() throws Exception {
        Flush theirs = fixture.flush(0, 15);
        Catalog racing = beforeFirstCommitOrRefresh(() -> commit(theirs));
        assertThat(statuses(committer(racing, this::rewrite).commit(TENANT, STREAM, List.of(fixture.flush(0, 20)))))
                .containsExactly(Status.COMMITTED);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,15)", "topic-A-3[15,20)");
    }

    @Test
    void aConcurrentCommitOfOtherRowsIsBuiltUpon() throws Exception {
        Flush theirs = fixture.flush(OTHER, 0, 5);
        Catalog racing = beforeFirstCommitOrRefresh(() -> commit(theirs));
        assertThat(statuses(committer(racing, this::rewrite).commit(TENANT, STREAM, List.of(fixture.flush(0, 20)))))
                .containsExactly(Status.COMMITTED);
        assertThat(fixture.offsets())
                .isEqualTo(TableOffsets.NONE.with(PARTITION, 20).with(OTHER, 5));
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,20)", "topic-A-4[0,5)");
    }

    /** Why the operations are pinned: the same race on operations as they come doubles the rows. */
    @Test
    void becauseWithoutThePinIcebergAppliesTheAppendAgain() throws Exception {
        Flush ours = fixture.flush(0, 10);
        Flush theirs = fixture.flush(0, 10);
        fixture.table().updateProperties().set("commit.retry.num-retries", "0").commit();
        Table table = catalog().loadTable(IDENTIFIER);
        assertThat(TableOffsets.fromProperties(table.properties()).offset(PARTITION))
                .as("the check passes")
                .isZero();
        commit(theirs);
        appendWithoutProtocol(table, ours, 10);
        assertThat(fixture.liveLabels()).containsExactly("topic-A-3[0,10)", "topic-A-3[0,10)");
    }

    @Test
    void committersThatRaceForTheSameRowsCommitThemOnce() throws Exception {
        new CommitterRace(catalog(), fixture).run(200);
    }

    @Test
    void aTableThatCannotCommitIsNamed() {
        Catalog broken = faulty(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                throw new IllegalStateException("disk full");
            }
        });
        LogBlockCommitter committer = new LogBlockCommitter(
                broken,
                (tenant, stream) -> archivedThrough,
                this::rewrite,
                () -> new BackOff(3, 1, 1),
                Clock.systemUTC());
        Flush flush = fixture.flush(0, 10);
        assertThatThrownBy(() -> committer.commit(TENANT, STREAM, List.of(flush)))
                .isInstanceOfSatisfying(TableCommitException.class, e -> {
                    assertThat(e.tenantId()).isEqualTo(TENANT);
                    assertThat(e.stream()).isEqualTo(STREAM);
                })
                .hasMessageContaining("3 attempts failed")
                .hasMessageContaining("disk full");
        assertThat(exists(flush)).isTrue();
        assertThat(fixture.offset()).isZero();
    }

    @Test
    void manifestsSayWhatTheFilesHold() throws Exception {
        commit(fixture.flush(0, 10));
        DataFile file = fixture.liveFiles().getFirst();
        assertThat(file.valueCounts()).containsEntry(6, 10L);
        assertThat(file.recordCount()).isEqualTo(10);
    }

    /** The operations of a table by which is committed, given those of the catalog. */
    public TableOperations operations(TableOperations ofCatalog) {
        return ofCatalog;
    }

    protected final List<CommitOutcome> commit(Flush... flushes) throws InterruptedException {
        return committer(faulty(operations -> operations), this::rewrite).commit(TENANT, STREAM, List.of(flushes));
    }

    private LogBlockCommitter committer(Catalog catalog, FlushRewriter rewriter) {
        ArchivedThrough settled = new ArchivedThrough() {
            @Override
            public TableOffsets read(String tenantId, String stream) {
                return archivedThrough;
            }

            @Override
            public void raiseFloors(String tenantId, String stream, TableOffsets offsets) {
                raised = raised.max(offsets);
            }
        };
        return new LogBlockCommitter(catalog, settled, rewriter);
    }

    private List<LogBlockFile> rewrite(String tenantId, String stream, Flush flush, long firstOffset) {
        return fixture.rewrite(flush, firstOffset);
    }

    private boolean exists(Flush flush) {
        return flush.files().stream()
                .allMatch(file ->
                        fixture.table().io().newInputFile(file.location()).exists());
    }

    private static List<Status> statuses(List<CommitOutcome> outcomes) {
        return outcomes.stream().map(CommitOutcome::status).toList();
    }

    private Catalog faulty(UnaryOperator<TableOperations> operations) {
        return new FaultyCatalog(catalog(), ofCatalog -> operations.apply(operations(ofCatalog)));
    }

    private Catalog losingFirstAnswer(LostAnswer answer) {
        AtomicBoolean lost = new AtomicBoolean();
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                boolean addsSnapshot =
                        metadata.snapshots().size() > base.snapshots().size();
                if (addsSnapshot && lost.compareAndSet(false, true)) {
                    throw answer.exception();
                }
            }
        });
    }

    /** Something that a test runs at the worst time. */
    @FunctionalInterface
    private interface Intruder {
        void run() throws Exception;
    }

    /** The table that is loaded first moves on as soon as its operations are asked to refresh or commit. */
    private Catalog beforeFirstCommitOrRefresh(Intruder intruder) {
        AtomicReference<Intruder> pending = new AtomicReference<>(intruder);
        return faulty(operations -> new FaultyOperations(operations) {
            private void intrude() {
                Intruder now = pending.getAndSet(null);
                if (now != null) {
                    try {
                        now.run();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            }

            @Override
            public TableMetadata refresh() {
                intrude();
                return super.refresh();
            }

            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                intrude();
                reallyCommit(base, metadata);
            }
        });
    }

    /** What a committer without pin and loop would do after its check. */
    private static void appendWithoutProtocol(Table table, Flush flush, long to) {
        Transaction transaction = table.newTransaction();
        transaction
                .updateProperties()
                .set(
                        TableOffsets.PROPERTY,
                        TableOffsets.NONE.with(PARTITION, to).toJson())
                .commit();
        transaction
                .newAppend()
                .appendFile(LogBlockDataFiles.dataFile(flush.files().getFirst(), table.schema(), table.spec()))
                .commit();
        transaction.commitTransaction();
    }
}
