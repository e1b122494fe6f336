package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.TenantNames;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits {@linkplain Rewrite rewrites}: afterwards the table has the same rows in other files. Thread-safe.
 *
 * <p>Each attempt uses {@linkplain PinnedTableOperations pinned operations}, as {@link LogBlockCommitter} does, and
 * leaves the table offsets alone. A rewrite is refused if the table no longer has one of the replaced files, if rows of
 * one were deleted since it was read, or if a new file is gone: the orphan cleaner deletes files that are a day old and
 * in no table. Appends in between do no harm. The outcome of an attempt is often unknown; its snapshot in the reloaded
 * table shows it.
 *
 * <p>The committer deletes no file. Replaced files belong to snapshots that queries still read, and are deleted when
 * these expire. The caller deletes the files of a refused rewrite.
 */
public final class RewriteCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(RewriteCommitter.class);

    private final Catalog catalog;
    private final Supplier<BackOff> backOffs;

    /** Commits to the tables of this catalog. */
    public RewriteCommitter(Catalog catalog) {
        this(catalog, BackOff::ofCommits);
    }

    RewriteCommitter(Catalog catalog, Supplier<BackOff> backOffs) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.backOffs = backOffs;
    }

    /** The outcome of a rewrite. */
    public enum Outcome {
        /** The table has the new files in place of the old ones. */
        REPLACED,
        /**
         * The table has changed: an old file is gone, rows of one were deleted, or the table was dropped. The table has
         * nothing of the rewrite and never will, so that its files may be deleted.
         */
        REFUSED
    }

    /**
     * Commits a rewrite.
     *
     * @throws TableCommitException if the table cannot be committed to now; the rewrite's files may then be in the
     *     table, now or later, and must not be deleted
     * @throws InterruptedException if interrupted between attempts; as above
     */
    public Outcome commit(Rewrite rewrite) throws InterruptedException {
        return CommitAttempts.run(rewrite.tenantId(), rewrite.stream(), backOffs.get(), new Attempts(rewrite)::attempt);
    }

    /** All attempts to commit one rewrite. */
    private final class Attempts {
        private final Rewrite rewrite;
        private final TableIdentifier identifier;
        private final Set<Long> snapshotIds = new HashSet<>();

        Attempts(Rewrite rewrite) {
            this.rewrite = rewrite;
            this.identifier = TenantNames.table(rewrite.tenantId(), rewrite.stream());
        }

        Outcome attempt() {
            Table table;
            try {
                table = catalog.loadTable(identifier);
            } catch (NoSuchTableException e) {
                return refused("the table is gone");
            }
            PinnedTableOperations operations = new PinnedTableOperations(((BaseTable) table).operations());
            TableMetadata base = operations.current();
            if (!base.uuid().equals(rewrite.tableUuid())) {
                return refused("the table was recreated");
            }
            if (snapshotIds.stream().anyMatch(id -> base.snapshot(id) != null)) {
                return Outcome.REPLACED;
            }
            if (!rewrite.written().stream()
                    .allMatch(file ->
                            operations.io().newInputFile(file.location()).exists())) {
                return refused("it took so long that its files are gone");
            }
            PartitionSpec daySpec = LogBlockDataFiles.daySpec(base)
                    .orElseThrow(() -> new IllegalArgumentException("it has no partition spec day(ts); add one back"));
            StagedTableOperations staged = new StagedTableOperations(operations);
            RewriteFiles files =
                    staged.table(identifier.toString()).newRewrite().validateFromSnapshot(rewrite.snapshotId());
            rewrite.replaced().forEach(files::deleteFile);
            rewrite.deletes().forEach(files::deleteFile);
            rewrite.written().forEach(file -> files.addFile(LogBlockDataFiles.dataFile(file, base.schema(), daySpec)));
            try {
                files.commit();
            } catch (ValidationException e) {
                return refused(e.getMessage());
            }
            snapshotIds.add(staged.current().currentSnapshot().snapshotId());
            staged.commit();
            return Outcome.REPLACED;
        }

        /** The snapshot of an attempt of unknown outcome may have been committed, and may have expired since. */
        private Outcome refused(String why) {
            if (!snapshotIds.isEmpty()) {
                throw new TableCommitException(
                        rewrite.tenantId(),
                        rewrite.stream(),
                        "the outcome of an attempt to commit merged LogBlocks is unknown, and now %s".formatted(why),
                        null);
            }
            LOG.info("A rewrite of {} of tenant {} is void: {}", rewrite.stream(), rewrite.tenantId(), why);
            return Outcome.REFUSED;
        }
    }
}
