package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.PinnedTableOperations;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.tenant.TenantNames;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the days of a table that are older than its retention. Thread-safe.
 *
 * <p>Days are UTC days, and expire as a whole; today and the given number of days before it are kept. One commit, of
 * metadata alone, removes the expired LogBlocks and raises {@link ExpiredBefore}; then their objects are deleted at
 * once. A query that reads an older snapshot and needs one of them fails with an explanation. If the process ends
 * between commit and deletion, the objects go with the snapshots that still refer to them, or are orphans.
 *
 * <p>The commit uses {@linkplain PinnedTableOperations pinned operations}. After any exception the table is loaded
 * again, which shows whether the commit succeeded, and what is left to drop. So if another commit, for instance a merge
 * of LogBlocks, came first, the drop is planned again on its result.
 */
public final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    /** Bounds the memory; a table with more takes several commits. */
    private static final int MAX_FILES = 10_000;

    private final Catalog catalog;
    private final Supplier<BackOff> backOffs;
    private final int maxFiles;

    /** Creates a retention for the tables of this catalog. */
    public Retention(Catalog catalog) {
        this(catalog, BackOff::ofCommits, MAX_FILES);
    }

    Retention(Catalog catalog, Supplier<BackOff> backOffs, int maxFiles) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.backOffs = backOffs;
        this.maxFiles = maxFiles;
    }

    /**
     * Result of a drop. Immutable.
     *
     * @param logBlocks number of LogBlocks removed from the table
     * @param rows their rows
     * @param bytes their bytes
     * @param objectsDeleted number of objects deleted from the store, including delete files
     */
    public record Dropped(int logBlocks, long rows, long bytes, int objectsDeleted) {
        static final Dropped NOTHING = new Dropped(0, 0, 0, 0);
    }

    /**
     * Drops the days before {@code today - retentionDays}. Does nothing if the table does not exist.
     *
     * @param retentionDays at least 1
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public Dropped apply(String tenantId, String stream, int retentionDays, Instant now) throws InterruptedException {
        if (retentionDays < 1) {
            throw new IllegalArgumentException("Retention is %d days; it must be at least 1".formatted(retentionDays));
        }
        Drop drop = new Drop(tenantId, stream, ExpiredFiles.firstKeptDay(now, retentionDays));
        BackOff backOff = backOffs.get();
        while (true) {
            RuntimeException failure;
            try {
                if (drop.isDone()) {
                    return drop.deleteObjects();
                }
                continue;
            } catch (RuntimeException e) {
                failure = e;
            }
            if (!backOff.mayRetry()) {
                drop.deleteObjects();
                throw new TableCommitException(
                        tenantId,
                        stream,
                        "dropping expired days failed in %d attempts, the last with: %s"
                                .formatted(backOff.attempts(), failure.getMessage()),
                        failure);
            }
            LOG.info("Reloading {} of tenant {} to drop expired days: {}", stream, tenantId, failure.toString());
            backOff.pause();
        }
    }

    /** All commits that drop the expired days of one table. */
    private final class Drop {
        private final TableIdentifier identifier;
        private final LocalDate firstKeptDay;
        /** Expired files by the snapshot of an attempt to drop them, whose outcome is unknown yet. */
        private final Map<Long, ExpiredFiles> attempted = new HashMap<>();

        private final List<ExpiredFiles> committed = new ArrayList<>();
        private BaseTable table;

        Drop(String tenantId, String stream, LocalDate firstKeptDay) {
            this.identifier = TenantNames.table(tenantId, stream);
            this.firstKeptDay = firstKeptDay;
        }

        /** Loads the table and commits once if there are days to drop. */
        boolean isDone() {
            try {
                table = (BaseTable) catalog.loadTable(identifier);
            } catch (NoSuchTableException e) {
                return true;
            }
            PinnedTableOperations operations = new PinnedTableOperations(table.operations());
            TableMetadata base = operations.current();
            noteCommitted(base);
            ExpiredFiles expired = ExpiredFiles.find(base, operations.io(), firstKeptDay, maxFiles);
            if (expired.isEmpty()) {
                return true;
            }
            commit(operations, expired);
            return false;
        }

        private void noteCommitted(TableMetadata base) {
            Iterator<Map.Entry<Long, ExpiredFiles>> attempts =
                    attempted.entrySet().iterator();
            while (attempts.hasNext()) {
                Map.Entry<Long, ExpiredFiles> attempt = attempts.next();
                if (base.snapshot(attempt.getKey()) != null) {
                    committed.add(attempt.getValue());
                    attempts.remove();
                }
            }
        }

        private void commit(PinnedTableOperations operations, ExpiredFiles expired) {
            Transaction transaction = Transactions.newTransaction(identifier.toString(), operations);
            transaction
                    .updateProperties()
                    .set(
                            ExpiredBefore.PROPERTY,
                            ExpiredBefore.raised(operations.current().properties(), firstKeptDay))
                    .commit();
            if (expired.deleteFiles().isEmpty()) {
                DeleteFiles delete = transaction.newDelete();
                expired.dataFiles().forEach(delete::deleteFile);
                delete.commit();
            } else {
                RowDelta delta = transaction.newRowDelta();
                expired.dataFiles().forEach(delta::removeRows);
                expired.deleteFiles().forEach(delta::removeDeletes);
                delta.commit();
            }
            attempted.put(transaction.table().currentSnapshot().snapshotId(), expired);
            transaction.commitTransaction();
        }

        /** Deletes the objects of the files that were certainly dropped. */
        Dropped deleteObjects() {
            if (committed.isEmpty()) {
                return Dropped.NOTHING;
            }
            StoredObjects objects = new StoredObjects(table.io());
            int logBlocks = 0;
            long rows = 0;
            long bytes = 0;
            for (ExpiredFiles files : committed) {
                files.locations().forEach(objects::delete);
                logBlocks += files.dataFiles().size();
                rows += files.dataFiles().stream()
                        .mapToLong(file -> file.recordCount())
                        .sum();
                bytes += files.dataFiles().stream()
                        .mapToLong(file -> file.fileSizeInBytes())
                        .sum();
            }
            committed.clear();
            return new Dropped(logBlocks, rows, bytes, objects.finish());
        }
    }
}
