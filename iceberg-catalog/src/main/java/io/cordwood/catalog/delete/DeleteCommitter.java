package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.CommitAttempts;
import io.cordwood.catalog.commit.PinnedTableOperations;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.tenant.TenantNames;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * Commits position deletes to tables. Thread-safe.
 *
 * <p>A position is valid only in the very data file that was read. So each attempt uses {@linkplain
 * PinnedTableOperations operations pinned} to metadata in which all of these files are live. If one was rewritten or
 * dropped meanwhile, nothing is deleted, and {@link RowsMovedException} is thrown. Appends do not conflict, as they add
 * newer rows than those that were read. Table offsets stay, as the rows that they count neither come nor go.
 *
 * <p>The id of the deletion, which its snapshot records, settles an attempt of unknown outcome.
 */
public final class DeleteCommitter {
    /** Property of a snapshot's summary: id of the deletion that it committed. */
    public static final String DELETION_PROPERTY = "cordwood.deletion";

    private final Catalog catalog;
    private final Supplier<BackOff> backOffs;

    /** Creates a committer for the tables of this catalog. */
    public DeleteCommitter(Catalog catalog) {
        this(catalog, BackOff::ofCommits);
    }

    DeleteCommitter(Catalog catalog, Supplier<BackOff> backOffs) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.backOffs = backOffs;
    }

    /**
     * A request to commit delete files.
     *
     * @param id id of the deletion, chosen by the caller and never used before
     * @param tableUuid UUID of the table that was read
     * @param readSnapshotId the snapshot whose rows were read
     * @param files delete files, at least one
     */
    public record Deletes(
            String id,
            String tenantId,
            String stream,
            String tableUuid,
            long readSnapshotId,
            List<WrittenDeletes> files) {
        public Deletes {
            requireNonNull(id, "id is null");
            files = List.copyOf(files);
        }
    }

    /**
     * Commits delete files in one snapshot.
     *
     * @return id of the snapshot
     * @throws RowsMovedException if a data file is no longer in the table; read and delete again
     * @throws TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted between attempts
     */
    public long commit(Deletes deletes) throws InterruptedException {
        return CommitAttempts.run(deletes.tenantId(), deletes.stream(), backOffs.get(), () -> attempt(deletes));
    }

    private static TableCommitException failure(Deletes deletes, String problem, Throwable cause) {
        return new TableCommitException(deletes.tenantId(), deletes.stream(), problem, cause);
    }

    /** The snapshot, possibly one of an earlier attempt. */
    private long attempt(Deletes deletes) {
        TableIdentifier identifier = TenantNames.table(deletes.tenantId(), deletes.stream());
        BaseTable table;
        try {
            table = (BaseTable) catalog.loadTable(identifier);
        } catch (NoSuchTableException e) {
            throw failure(deletes, "the table does not exist", e);
        }
        PinnedTableOperations operations = new PinnedTableOperations(table.operations());
        TableMetadata base = operations.current();
        if (!base.uuid().equals(deletes.tableUuid())) {
            throw failure(deletes, "the table was dropped and recreated since it was read", null);
        }
        Optional<Snapshot> landed = base.snapshots().stream()
                .filter(snapshot -> deletes.id().equals(snapshot.summary().get(DELETION_PROPERTY)))
                .findFirst();
        if (landed.isPresent()) {
            return landed.get().snapshotId();
        }
        return commit(deletes, identifier, operations);
    }

    private static long commit(Deletes deletes, TableIdentifier identifier, PinnedTableOperations operations) {
        TableMetadata base = operations.current();
        Map<String, DataFile> dataFiles = dataFiles(deletes, new BaseTable(operations, identifier.toString()));
        Transaction transaction = Transactions.newTransaction(identifier.toString(), operations);
        RowDelta delta = transaction
                .newRowDelta()
                .set(DELETION_PROPERTY, deletes.id())
                .validateDeletedFiles()
                .validateDataFilesExist(dataFiles.keySet());
        if (base.snapshot(deletes.readSnapshotId()) != null) {
            delta.validateFromSnapshot(deletes.readSnapshotId());
        }
        deletes.files().forEach(file -> delta.addDeletes(deleteFile(deletes, file, dataFiles, base)));
        try {
            delta.commit();
        } catch (ValidationException e) {
            throw new RowsMovedException(
                    deletes.tenantId(),
                    deletes.stream(),
                    dataFiles.keySet().iterator().next(),
                    e);
        }
        long snapshotId = transaction.table().currentSnapshot().snapshotId();
        transaction.commitTransaction();
        return snapshotId;
    }

    /** The live data files whose rows are deleted, by location. */
    private static Map<String, DataFile> dataFiles(Deletes deletes, BaseTable table) {
        Set<String> missing = new HashSet<>();
        deletes.files().forEach(file -> missing.addAll(file.dataFiles()));
        Map<String, DataFile> found = new HashMap<>();
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                if (missing.remove(task.file().location())) {
                    found.put(task.file().location(), task.file().copyWithoutStats());
                }
            }
        } catch (IOException e) {
            throw failure(deletes, "its manifests cannot be read: " + e.getMessage(), e);
        }
        if (!missing.isEmpty()) {
            throw new RowsMovedException(
                    deletes.tenantId(), deletes.stream(), missing.iterator().next(), null);
        }
        return found;
    }

    private static DeleteFile deleteFile(
            Deletes deletes, WrittenDeletes file, Map<String, DataFile> dataFiles, TableMetadata base) {
        DataFile first = dataFiles.get(file.dataFiles().getFirst());
        PartitionSpec spec = base.spec(first.specId());
        StructLikeWrapper partition =
                StructLikeWrapper.forType(spec.partitionType()).set(first.partition());
        for (String dataFile : file.dataFiles()) {
            DataFile other = dataFiles.get(dataFile);
            if (other.specId() != first.specId() || !partition.equals(partition.copyFor(other.partition()))) {
                throw failure(
                        deletes,
                        "data files of several partitions lie in one folder: %s and %s"
                                .formatted(first.location(), dataFile),
                        null);
            }
        }
        FileMetadata.Builder builder = FileMetadata.deleteFileBuilder(spec)
                .ofPositionDeletes()
                .withFormat(FileFormat.PARQUET)
                .withPath(file.location())
                .withPartition(first.partition())
                .withFileSizeInBytes(file.sizeInBytes())
                .withRecordCount(file.rowCount());
        if (file.dataFiles().size() == 1) {
            builder.withReferencedDataFile(first.location());
        }
        return builder.build();
    }
}
