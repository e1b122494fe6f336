package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.delete.DeleteCommitter;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.tenant.TenantNames;
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
 * Brings the registry of deletions up to date with the lake: whoever removes objects calls it now and then.
 * Thread-safe.
 *
 * <p>Nothing ever comes back: an object that is gone is not written again under its name. Objects that no table ever
 * referred to, such as what a merge wrote that was killed, are the {@linkplain OrphanCleaner orphan cleaner's}; the
 * registry does not know them.
 */
public final class Deletions {
    private final CatalogClient catalog;

    /** Of the lake behind this service, which must let the caller do everything. */
    public Deletions(CatalogClient catalog) {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /**
     * Marks the deletions of a table as gone whose LogBlocks no longer exist and that no manifest tells of any more,
     * and notes the snapshot of those that were committed when nobody was left to say so.
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
        // Manifests are written anew as soon as the LogBlocks are, not after they are deleted. The snapshots of before
        // are looked
        // through last: while a file is there, one of them has it.
        if (isMentioned(known)
                || known.dataFiles().stream()
                        .anyMatch(file -> catalog.io().newInputFile(file).exists())
                || wasMentioned(known)) {
            return Optional.empty();
        }
        Deletion gone = known.gone(nowMillis);
        catalog.putDeletion(gone);
        return Optional.of(gone);
    }

    /**
     * Whether a manifest of the current snapshot tells of LogBlocks that were removed, with values of the deleted rows
     * as their bounds. Such ones are written anew.
     */
    private boolean isMentioned(Deletion deletion) {
        try {
            BaseTable table = table(deletion);
            if (table.currentSnapshot() == null) {
                return false;
            }
            Set<String> mentions =
                    RemovedFileManifests.of(table.io(), List.of(table.currentSnapshot()), deletion.dataFiles());
            if (!mentions.isEmpty()) {
                SnapshotExpiry.rewriteManifests(table, manifest -> mentions.contains(manifest.path()));
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

    /** The same of any snapshot; those of before go by themselves. */
    private boolean wasMentioned(Deletion deletion) {
        try {
            BaseTable table = table(deletion);
            return !RemovedFileManifests.of(table.io(), table.snapshots(), deletion.dataFiles())
                    .isEmpty();
        } catch (NoSuchTableException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BaseTable table(Deletion deletion) {
        return (BaseTable) catalog.catalog().loadTable(TenantNames.table(deletion.tenantId(), deletion.stream()));
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
