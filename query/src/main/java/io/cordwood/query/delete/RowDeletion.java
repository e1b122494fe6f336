package io.cordwood.query.delete;

import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.delete.DeleteCommitter.Deletes;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.RowsMovedException;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.TableVersion;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;

/**
 * Deletes rows of a tenant by predicate. Thread-safe.
 *
 * <p>First, all rows that were acknowledged when the deletion began are flushed into LogBlocks. Then the cold tier of
 * that snapshot is scanned, without the rows that were acknowledged later. The rows found are written to delete files,
 * which are committed. A registry keeps each deletion and its result.
 */
public final class RowDeletion {
    private final QueryCatalog catalog;
    private final HotFlush hotFlush;

    public RowDeletion(QueryCatalog catalog, HotFlush hotFlush) {
        this.catalog = catalog;
        this.hotFlush = hotFlush;
    }

    /**
     * Flushes all rows into LogBlocks.
     *
     * @return the snapshot that has them; empty if the table has no LogBlock, so there is nothing to delete
     * @throws QueryException FLUSH_TIMEOUT if rows are not flushed in time, KAFKA_UNAVAILABLE if Kafka cannot be
     *     reached
     */
    public Optional<ReadVersion> begin(
            DeleteStatement statement, QuerySnapshot version, String tenantId, String stream) {
        hotFlush.flush(statement, version, tenantId, stream);
        return version.table(tenantId, stream)
                .flatMap(TableVersion::metadata)
                .filter(metadata -> metadata.currentSnapshot() != null)
                .map(RowDeletion::readVersion);
    }

    private static ReadVersion readVersion(TableMetadata metadata) {
        return new ReadVersion(
                metadata.uuid(), metadata.location(), metadata.currentSnapshot().snapshotId());
    }

    /**
     * Commits delete files.
     *
     * @param predicate the condition on the deleted rows, as the registry shows it
     * @param read the result of {@link #begin}
     * @param files delete files of the rows that the scan of that snapshot found
     * @throws QueryException TABLE_CHANGED if the rows have moved to other LogBlocks meanwhile, OUTCOME_UNKNOWN if the
     *     catalog did not confirm the commit
     */
    public void finish(
            DeleteStatement statement,
            String tenantId,
            String stream,
            String predicate,
            Optional<ReadVersion> read,
            List<WrittenDeletes> files) {
        Deletion deletion = new Deletion(
                UUID.randomUUID().toString(),
                tenantId,
                stream,
                predicate,
                statement.queryId(),
                statement.user(),
                statement.startedAt(),
                files.stream().mapToLong(WrittenDeletes::rowCount).sum(),
                files.stream()
                        .flatMap(file -> file.dataFiles().stream())
                        .distinct()
                        .sorted()
                        .toList(),
                OptionalLong.empty(),
                OptionalLong.empty());
        if (files.isEmpty()) {
            catalog.putDeletion(deletion.gone(statement.startedAt()));
            return;
        }
        catalog.putDeletion(deletion);
        catalog.putDeletion(deletion.committed(commit(deletion, read.orElseThrow(), files)));
    }

    private long commit(Deletion deletion, ReadVersion read, List<WrittenDeletes> files) {
        try {
            return catalog.commitDeletes(new Deletes(
                    deletion.id(), deletion.tenantId(), deletion.stream(), read.tableUuid(), read.snapshotId(), files));
        } catch (RowsMovedException e) {
            catalog.forgetDeletion(deletion.id());
            throw new QueryException(QueryError.TABLE_CHANGED, e.getMessage(), e);
        } catch (TableCommitException e) {
            throw new QueryException(
                    QueryError.OUTCOME_UNKNOWN,
                    "%s. The outcome of deletion %s is not known yet".formatted(e.getMessage(), deletion.id()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryError.OUTCOME_UNKNOWN,
                    "Interrupted while deletion %s was committed; its outcome is not known yet"
                            .formatted(deletion.id()),
                    e);
        }
    }
}
