package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.commit.CommitPlan.Step;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.catalog.usage.IngestTotals;
import io.cordwood.catalog.usage.UsageJournal;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits LogBlocks to tables so that every row is there exactly once, in spite of crashes, repetitions and concurrent
 * jobs. Thread-safe.
 *
 * <p>This works because the table itself records its rows: a table offset changes only together with the snapshot that
 * adds the rows. No job id or checkpoint id takes part. One attempt is:
 *
 * <ol>
 *   <li>Read archived-through, then load the table, and raise its table offsets to archived-through. The first attempt
 *       may use what was read for several tables at once, a while ago.
 *   <li>{@linkplain CommitPlan Decide} by table offset about each flush; rewrite those that begin below it. If the
 *       tenant was deleted and has no table, the floors tell which flushes have no row to keep.
 *   <li>Commit the new table offsets, the addition to the {@linkplain UsageJournal usage} and an append {@linkplain
 *       StagedTableOperations at once}, on {@linkplain PinnedTableOperations operations pinned} to the very metadata
 *       from which the table offsets were read, so that a concurrent commit makes it fail. If no file is left, the
 *       append is empty: a REST commit asserts refs, not properties, so a table offset may only move when {@code main}
 *       does.
 *   <li>If that throws any exception, the outcome is unknown, and nothing is cleaned up: back off and start again with
 *       step 1. The table offsets then show the outcome.
 * </ol>
 *
 * <p>The committer never deletes a data file: one that is there already, or was left by an attempt of unknown outcome,
 * may be live. The {@code OrphanCleaner} deletes files that no metadata refers to.
 */
public final class LogBlockCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(LogBlockCommitter.class);

    private final CommitTables tables;
    private final FlushRewriter rewriter;
    private final Supplier<BackOff> backOffs;
    private final Clock clock;

    /** Creates a committer for the tables of this catalog. */
    public LogBlockCommitter(Catalog catalog, ArchivedThrough archivedThrough, FlushRewriter rewriter) {
        this(catalog, archivedThrough, rewriter, BackOff::ofCommits, Clock.systemUTC());
    }

    /** @param clock clock for the age of snapshots */
    LogBlockCommitter(
            Catalog catalog,
            ArchivedThrough archivedThrough,
            FlushRewriter rewriter,
            Supplier<BackOff> backOffs,
            Clock clock) {
        this(new CatalogTables(catalog, archivedThrough), rewriter, backOffs, clock);
    }

    public LogBlockCommitter(CommitTables tables, FlushRewriter rewriter, Supplier<BackOff> backOffs, Clock clock) {
        this.tables = tables;
        this.rewriter = requireNonNull(rewriter, "rewriter is null");
        this.backOffs = backOffs;
        this.clock = clock;
    }

    /**
     * Commits flushes of one table in at most one snapshot.
     *
     * @param flushes in any order; they are committed ordered by partition and {@code from}
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes) throws InterruptedException {
        return commit(tenantId, stream, flushes, Set.of());
    }

    /**
     * Commits flushes of one table in at most one snapshot, and drops the offsets of deleted topics.
     *
     * @param flushes in any order; they are committed ordered by partition and {@code from}
     * @param goneTopicIds ids of topics that no longer exist in Kafka
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes, Set<String> goneTopicIds)
            throws InterruptedException {
        return run(new TableCommit(tenantId, stream, flushes, goneTopicIds, Optional.empty()));
    }

    /**
     * Finds the tables of several commits at once.
     *
     * @return by tenant id, what was found; any of them may be left out
     */
    public Map<String, CommitTables.Found> findAll(String stream, Set<String> tenantIds) {
        return tables.findAll(stream, tenantIds);
    }

    /**
     * Commits flushes of one table in at most one snapshot.
     *
     * @param flushes in any order; they are committed ordered by partition and {@code from}
     * @param found the table as {@link #findAll} found it just before; if it has changed since, or is left out, the
     *     committer finds it again
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public List<CommitOutcome> commit(
            String tenantId, String stream, List<Flush> flushes, Optional<CommitTables.Found> found)
            throws InterruptedException {
        return run(new TableCommit(tenantId, stream, flushes, Set.of(), found));
    }

    private List<CommitOutcome> run(TableCommit commit) throws InterruptedException {
        return CommitAttempts.run(commit.tenantId, commit.stream, backOffs.get(), commit::attempt);
    }

    private record Rewritten(long firstOffset, List<LogBlockFile> files) {}

    /** All attempts to commit one set of flushes. */
    private final class TableCommit {
        private final String tenantId;
        private final String stream;
        private final TableIdentifier identifier;
        private final List<Flush> flushes;
        private final Set<String> goneTopicIds;
        private final Map<Long, List<Flush>> attempted = new HashMap<>();
        private final IdentityHashMap<Flush, Rewritten> rewritten = new IdentityHashMap<>();
        private Optional<CommitTables.Found> firstFound;

        TableCommit(
                String tenantId,
                String stream,
                List<Flush> flushes,
                Set<String> goneTopicIds,
                Optional<CommitTables.Found> firstFound) {
            this.tenantId = tenantId;
            this.stream = stream;
            this.identifier = TenantNames.table(tenantId, stream);
            this.flushes = List.copyOf(flushes);
            this.goneTopicIds = Set.copyOf(goneTopicIds);
            this.firstFound = firstFound;
        }

        List<CommitOutcome> attempt() {
            Optional<CommitTables.Found> known = firstFound;
            firstFound = Optional.empty();
            return known.flatMap(found -> attempt(found, false))
                    .or(() -> attempt(tables.find(tenantId, stream), true))
                    .orElseThrow();
        }

        /**
         * Attempts a commit to the table that was found. If that was a while ago, it only commits, which the catalog
         * refuses if the table has changed; it decides nothing else by what was true a while ago.
         *
         * @return empty if there is something else to decide, and the table was not found just now
         */
        private Optional<List<CommitOutcome>> attempt(CommitTables.Found found, boolean isFoundNow) {
            TableOffsets settled = found.settled();
            if (found.operations().isEmpty()) {
                return isFoundNow ? Optional.of(outcomesWithoutTable(settled)) : Optional.empty();
            }
            PinnedTableOperations operations =
                    new PinnedTableOperations(found.operations().get());
            TableMetadata base = operations.current();
            TableOffsets offsets = TableOffsets.fromProperties(base.properties());
            CommitPlan plan = CommitPlan.of(
                    flushes,
                    offsets.max(settled),
                    base.uuid(),
                    offsetField(base.schema()),
                    flush -> filesExist(flush, operations.io()));
            if (!isFoundNow && !plan.commitsAll()) {
                return Optional.empty();
            }
            if (!plan.commitsNothing()) {
                commit(plan, operations, offsets);
            }
            return Optional.of(outcomes(plan, base));
        }

        /**
         * After the deletion of a tenant, flushes below the floors are dropped. Other flushes were written for the
         * dropped table, and must be read again for the next one. A floor follows the flushes that have no row above
         * it, since the next flush begins at their end.
         */
        private List<CommitOutcome> outcomesWithoutTable(TableOffsets settled) {
            int offsetField = offsetField(TableSchemas.baseSchema());
            List<CommitOutcome> outcomes = new ArrayList<>();
            TableOffsets raised = TableOffsets.NONE;
            for (Flush flush : flushes.stream().sorted(CommitPlan.BY_FROM).toList()) {
                PartitionId partition = flush.partitionId();
                long offset = settled.max(raised).offset(partition);
                boolean isSettled =
                        flush.to() <= offset || (flush.from() <= offset && flush.endsBelow(offset, offsetField));
                if (isSettled && flush.to() > offset) {
                    raised = raised.with(partition, flush.to());
                }
                outcomes.add(new CommitOutcome(
                        flush,
                        isSettled ? Status.ALREADY_THERE : Status.FILES_UNUSABLE,
                        Math.max(offset, raised.offset(partition))));
            }
            if (!raised.isEmpty()) {
                tables.raiseFloors(tenantId, stream, raised);
            }
            return inOrderOfFlushes(outcomes);
        }

        private static int offsetField(Schema schema) {
            return schema.findField(LogBlockSchema.KAFKA_OFFSET).fieldId();
        }

        private static boolean filesExist(Flush flush, FileIO io) {
            return flush.files().stream()
                    .allMatch(file -> io.newInputFile(file.location()).exists());
        }

        private void commit(CommitPlan plan, PinnedTableOperations operations, TableOffsets offsets) {
            TableMetadata base = operations.current();
            StagedTableOperations staged = new StagedTableOperations(operations);
            Table table = staged.table(identifier.toString());
            TableOffsets next = offsets.withoutTopics(goneTopicIds).max(plan.changed());
            UpdateProperties properties = table.updateProperties().set(TableOffsets.PROPERTY, next.toJson());
            Map<Long, IngestTotals> added = added(plan, base.schema());
            if (!added.isEmpty()) {
                UsageJournal journal = UsageJournal.fromProperties(tenantId, base.properties());
                properties.set(UsageJournal.PROPERTY, journal.plus(added).toJson());
            }
            properties.commit();
            append(plan, base, table);
            attempted.put(
                    table.currentSnapshot().snapshotId(),
                    plan.steps().stream()
                            .filter(Step::isCommit)
                            .map(Step::flush)
                            .toList());
            TableMetadataLimits.expireSnapshots(base, table, clock.millis());
            staged.commit();
        }

        private void append(CommitPlan plan, TableMetadata base, Table table) {
            PartitionSpec daySpec = LogBlockDataFiles.daySpec(base)
                    .orElseThrow(() -> new TableCommitException(
                            tenantId, stream, "it has no partition spec day(ts); add one back", null));
            AppendFiles append = TableMetadataLimits.append(base, table)
                    .set(TableOffsets.CHANGED_PROPERTY, plan.changed().toJson());
            for (LogBlockFile file : filesToAppend(plan, base.schema())) {
                append.appendFile(LogBlockDataFiles.dataFile(file, base.schema(), daySpec));
            }
            append.commit();
        }

        private List<LogBlockFile> filesToAppend(CommitPlan plan, Schema schema) {
            return plan.steps().stream()
                    .filter(Step::isCommit)
                    .flatMap(step -> files(step, schema).stream())
                    .toList();
        }

        /** A tenant's first flush begins where the job began to read, which may be long before its first row. */
        private List<LogBlockFile> files(Step step, Schema schema) {
            int offsetField = offsetField(schema);
            if (!step.isRewrite() || step.flush().beginsAt(step.firstOffset(), offsetField)) {
                return step.flush().files();
            }
            return step.flush().endsBelow(step.firstOffset(), offsetField)
                    ? List.of()
                    : rewritten(step).files();
        }

        /** The commit's addition to the tenant's usage, by hour; rows that a rewrite drops do not count. */
        private Map<Long, IngestTotals> added(CommitPlan plan, Schema schema) {
            Map<Long, IngestTotals> added = new TreeMap<>();
            plan.steps().stream().filter(Step::isCommit).forEach(step -> {
                List<LogBlockFile> files = files(step, schema);
                List<AppendRun> appendRuns = step.isRewrite()
                        ? AppendRun.from(step.flush().appendRuns(), step.firstOffset(), AppendRun.rows(files))
                        : step.flush().appendRuns();
                IngestTotals.byHour(files, appendRuns)
                        .forEach((hour, amount) -> added.merge(hour, amount, IngestTotals::plus));
            });
            return added;
        }

        /** Rewrites once for all attempts, unless the table offset has moved in between. */
        private Rewritten rewritten(Step step) {
            Rewritten known = rewritten.get(step.flush());
            if (known == null || known.firstOffset() != step.firstOffset()) {
                known = new Rewritten(step.firstOffset(), rewrite(step));
                rewritten.put(step.flush(), known);
            }
            return known;
        }

        private List<LogBlockFile> rewrite(Step step) {
            try {
                LOG.info(
                        "Rewriting {} of tenant {} from offset {}", step.flush().label(), tenantId, step.firstOffset());
                return rewriter.rewrite(tenantId, stream, step.flush(), step.firstOffset());
            } catch (IOException e) {
                throw new TableCommitException(
                        tenantId,
                        stream,
                        "rewriting %s failed: %s".formatted(step.flush().label(), e.getMessage()),
                        e);
            }
        }

        /**
         * The outcomes of the plan; rows that an earlier attempt of this commit added do not count as already there.
         */
        private List<CommitOutcome> outcomes(CommitPlan plan, TableMetadata base) {
            Set<Flush> landed = Collections.newSetFromMap(new IdentityHashMap<>());
            attempted.forEach((snapshotId, committed) -> {
                if (base.snapshot(snapshotId) != null) {
                    landed.addAll(committed);
                }
            });
            return inOrderOfFlushes(plan.steps().stream()
                    .map(step -> new CommitOutcome(
                            step.flush(),
                            landed.contains(step.flush()) ? Status.COMMITTED : step.status(),
                            step.tableOffset()))
                    .toList());
        }

        private List<CommitOutcome> inOrderOfFlushes(List<CommitOutcome> outcomes) {
            IdentityHashMap<Flush, CommitOutcome> byFlush = new IdentityHashMap<>();
            outcomes.forEach(outcome -> byFlush.put(outcome.flush(), outcome));
            return flushes.stream().map(byFlush::get).toList();
        }
    }
}
