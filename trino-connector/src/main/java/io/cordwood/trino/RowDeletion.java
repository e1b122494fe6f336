package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_TABLE_CHANGED;
import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_WRITE_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.delete.DeleteCommitter.Deletes;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.delete.RowsMovedException;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;

/**
 * Deletes rows of a tenant by predicate. Thread-safe.
 *
 * <p>First all rows that were acknowledged when it began are brought into LogBlocks. Then the snapshot that has them is
 * scanned, the cold tier alone, without the rows that were acknowledged later. What the scan finds is written to delete files
 * and committed. A registry keeps what was asked for and what became of it.
 */
final class RowDeletion {
    private final CordwoodCatalog catalog;
    private final HotFlush hotFlush;

    @Inject
    RowDeletion(CordwoodCatalog catalog, HotFlush hotFlush) {
        this.catalog = catalog;
        this.hotFlush = hotFlush;
    }

    /** Says why rows of a table cannot be deleted, if they cannot. */
    static String tenantId(CordwoodTableHandle table) {
        return table.tenantId()
                .orElseThrow(() -> new TrinoException(
                        NOT_SUPPORTED,
                        "Rows are deleted from the table of one tenant, as in cordwood.acme.%s, not from %s"
                                .formatted(table.stream(), table.name())));
    }

    /** Brings all rows into LogBlocks, and says which snapshot has them. */
    CordwoodMergeHandle begin(ConnectorSession session, QueryVersion version, CordwoodTableHandle table) {
        String tenantId = tenantId(table);
        hotFlush.flush(session, version, tenantId, table.stream());
        Optional<CordwoodMergeHandle.ReadVersion> read = version.table(tenantId, table.stream())
                .flatMap(TableVersion::metadata)
                .filter(metadata -> metadata.currentSnapshot() != null)
                .map(RowDeletion::readVersion);
        return new CordwoodMergeHandle(table, read, session.getStart().toEpochMilli());
    }

    private static CordwoodMergeHandle.ReadVersion readVersion(TableMetadata metadata) {
        return new CordwoodMergeHandle.ReadVersion(
                metadata.uuid(), metadata.location(), metadata.currentSnapshot().snapshotId());
    }

    /**
     * Commits what the sinks wrote.
     *
     * @param sources the scans of the statement, with what was pushed into them
     */
    void finish(
            ConnectorSession session,
            CordwoodMergeHandle merge,
            List<ConnectorTableHandle> sources,
            Collection<Slice> fragments) {
        List<WrittenDeletes> files = fragments.stream()
                .map(fragment -> DeletionParser.writtenDeletes(fragment.getBytes()))
                .toList();
        Deletion deletion = new Deletion(
                UUID.randomUUID().toString(),
                tenantId(merge.table()),
                merge.table().stream(),
                predicate(merge.table(), sources),
                session.getQueryId(),
                session.getUser(),
                merge.requestedAt(),
                files.stream().mapToLong(WrittenDeletes::rowCount).sum(),
                files.stream()
                        .flatMap(file -> file.dataFiles().stream())
                        .distinct()
                        .sorted()
                        .toList(),
                OptionalLong.empty(),
                OptionalLong.empty());
        if (files.isEmpty()) {
            catalog.putDeletion(deletion.gone(merge.requestedAt()));
            return;
        }
        catalog.putDeletion(deletion);
        catalog.putDeletion(deletion.committed(commit(deletion, merge.version().orElseThrow(), files)));
    }

    private long commit(Deletion deletion, CordwoodMergeHandle.ReadVersion read, List<WrittenDeletes> files) {
        try {
            return catalog.commitDeletes(new Deletes(
                    deletion.id(), deletion.tenantId(), deletion.stream(), read.tableUuid(), read.snapshotId(), files));
        } catch (RowsMovedException e) {
            catalog.forgetDeletion(deletion.id());
            throw new TrinoException(CORDWOOD_TABLE_CHANGED, e.getMessage(), e);
        } catch (TableCommitException e) {
            throw new TrinoException(
                    CORDWOOD_WRITE_ERROR,
                    "%s. Whether deletion %s was committed is not known: cordwood.system.deletions tells later"
                            .formatted(e.getMessage(), deletion.id()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(
                    CORDWOOD_WRITE_ERROR,
                    "Interrupted while deletion %s was committed: cordwood.system.deletions tells later whether it was"
                            .formatted(deletion.id()),
                    e);
        }
    }

    /** What was pushed into the scan of the table; the engine does not tell the statement's text. */
    private static String predicate(CordwoodTableHandle table, List<ConnectorTableHandle> sources) {
        return sources.stream()
                .filter(CordwoodTableHandle.class::isInstance)
                .map(CordwoodTableHandle.class::cast)
                .filter(source -> source.name().equals(table.name()))
                .map(CordwoodTableHandle::toString)
                .findFirst()
                .orElse(table.toString());
    }
}
