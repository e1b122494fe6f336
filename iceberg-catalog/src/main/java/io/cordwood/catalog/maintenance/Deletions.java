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
 * Updates the registry of deletions from storage; a program that removes objects calls it now and then. Thread-safe.
 *
 * <p>A deleted object never returns, as no object is written again under its name. The registry does not cover objects
 * that no table ever referred to, such as the output of a killed merge; the {@linkplain OrphanCleaner orphan cleaner}
 * deletes them.
 */
public final class Deletions {
    private final CatalogClient catalog;

    /** @param catalog client of the catalog service, with the rights of an operator */
    public Deletions(CatalogClient catalog) {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /**
     * Marks deletions of a table as gone once their LogBlocks no longer exist and no manifest refers to them any more.
     * Also records the snapshot of a committed deletion if its writer ended before it could do so.
     *
     * @return deletions that are gone now and were not before
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
        // Manifests are rewritten as soon as the LogBlocks are, not after their deletion. Earlier snapshots are checked
        // last: while a file exists, one of them has it.
        if (isReferenced(known)
                || known.dataFiles().stream()
                        .anyMatch(file -> catalog.io().newInputFile(file).exists())
                || isReferencedByAnySnapshot(known)) {
            return Optional.empty();
        }
        Deletion gone = known.gone(nowMillis);
        catalog.putDeletion(gone);
        return Optional.of(gone);
    }

    /**
     * Whether a manifest of the current snapshot refers to removed LogBlocks, with values of the deleted rows as their
     * bounds. Rewrites such manifests.
     */
    private boolean isReferenced(Deletion deletion) {
        try {
            BaseTable table = table(deletion);
            if (table.currentSnapshot() == null) {
                return false;
            }
            Set<String> manifests =
                    RemovedFileManifests.of(table.io(), List.of(table.currentSnapshot()), deletion.dataFiles());
            if (!manifests.isEmpty()) {
                SnapshotExpiry.rewriteManifests(table, manifest -> manifests.contains(manifest.path()));
            }
            return !manifests.isEmpty();
        } catch (NoSuchTableException e) {
            return false;
        } catch (CommitStateUnknownException e) {
            // Another commit got in the way, or this one succeeded: the next check shows it
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a manifest of any snapshot does; earlier snapshots expire by themselves. */
    private boolean isReferencedByAnySnapshot(Deletion deletion) {
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
