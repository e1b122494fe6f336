package io.cordwood.catalog;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Brings the registry of deletions up to date with the lake: whoever removes objects calls it now and then. Thread-safe.
 *
 * <p>Nothing ever comes back: an object that is gone is not written again under its name. Objects that no table ever referred to,
 * such as what a merge wrote that was killed, are the {@linkplain OrphanCleaner orphan cleaner's}; the registry does not know them.
 */
public final class Deletions {
    private final CatalogClient catalog;

    /** Of the lake behind this service, which must let the caller do everything. */
    public Deletions(CatalogClient catalog) {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /**
     * Marks the deletions of a table as gone whose LogBlocks no longer exist and that no manifest tells of any more, and notes the snapshot of those that were
     * committed when nobody was left to say so.
     *
     * @return the deletions that are gone now and were not before
     * @throws CatalogException if the catalog service cannot be reached
     */
    public List<Deletion> settle(String tenantId, String stream, long nowMillis) {
        List<Deletion> gone = new ArrayList<>();
        for (Deletion deletion : catalog.deletions()) {
            boolean open = deletion.status() != Deletion.Status.GONE;
            if (open
                    && deletion.tenantId().equals(tenantId)
                    && deletion.stream().equals(stream)) {
                settle(deletion, nowMillis).ifPresent(gone::add);
            }
        }
        return gone;
    }

    private Optional<Deletion> settle(Deletion deletion, long nowMillis) {
        Deletion known = deletion;
        if (deletion.snapshotId().isEmpty()) {
            OptionalLong snapshot = snapshot(deletion);
            if (snapshot.isEmpty()) {
                return Optional.empty();
            }
            known = deletion.committed(snapshot.getAsLong());
            catalog.putDeletion(known);
        }
        // Asked first, so that manifests are written anew as soon as the LogBlocks are, not after they are deleted
        if (isMentioned(known)
                || known.dataFiles().stream()
                        .anyMatch(file -> catalog.io().newInputFile(file).exists())) {
            return Optional.empty();
        }
        Deletion gone = known.gone(nowMillis);
        catalog.putDeletion(gone);
        return Optional.of(gone);
    }

    /**
     * Whether a manifest still tells of LogBlocks that were removed, with values of the deleted rows as their bounds. Those of
     * the current snapshot are written anew; the others go with their snapshots.
     */
    private boolean isMentioned(Deletion deletion) {
        try {
            BaseTable table =
                    (BaseTable) catalog.catalog().loadTable(TenantNames.table(deletion.tenantId(), deletion.stream()));
            Set<String> mentions = ManifestMentions.of(table, deletion.dataFiles());
            boolean isInCurrent = table.currentSnapshot() != null
                    && table.currentSnapshot().dataManifests(table.io()).stream()
                            .anyMatch(manifest -> mentions.contains(manifest.path()));
            if (isInCurrent) {
                TableMaintenance.rewriteManifests(table, manifest -> mentions.contains(manifest.path()));
            }
            return !mentions.isEmpty();
        } catch (NoSuchTableException e) {
            return false;
        } catch (CommitStateUnknownException e) {
            // Another commit got in the way, or it went through: the next look tells
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OptionalLong snapshot(Deletion deletion) {
        try {
            Table table = catalog.catalog().loadTable(TenantNames.table(deletion.tenantId(), deletion.stream()));
            for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
                if (deletion.id().equals(snapshot.summary().get(DeleteCommitter.DELETION_PROPERTY))) {
                    return OptionalLong.of(snapshot.snapshotId());
                }
            }
            return OptionalLong.empty();
        } catch (NoSuchTableException e) {
            return OptionalLong.empty();
        }
    }
}
