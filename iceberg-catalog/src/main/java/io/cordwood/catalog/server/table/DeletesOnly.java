package io.cordwood.catalog.server.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * The rule for commits of the query service: they delete rows, and do nothing else. What a commit says of itself does
 * not count, but the manifests that it names. Thread-safe.
 */
public final class DeletesOnly {
    private static final Set<String> OPERATIONS = Set.of(DataOperations.DELETE, DataOperations.OVERWRITE);

    private final Catalog catalog;
    private final FileIO io;

    public DeletesOnly(Catalog catalog, FileIO io) {
        this.catalog = catalog;
        this.io = io;
    }

    /**
     * Checks a commit.
     *
     * @return the commit, which is now also refused if the table is not as it was when it was checked
     * @throws ForbiddenException unless it moves branch main by one snapshot that adds delete files
     * @throws ValidationException if a file does not lie below the table's own location
     */
    public UpdateTableRequest checked(TableIdentifier identifier, UpdateTableRequest request) {
        Snapshot added = snapshot(request);
        TableMetadata base =
                ((BaseTable) catalog.loadTable(identifier)).operations().current();
        // If another commit came between, the requirement fails, and says so to a client that tries again
        if (base.currentSnapshot() != null
                && Long.valueOf(base.currentSnapshot().snapshotId()).equals(added.parentId())) {
            new AddedDeletes(base, io).check(added);
        }
        List<UpdateRequirement> requirements = new ArrayList<>(request.requirements());
        requirements.add(new UpdateRequirement.AssertTableUUID(base.uuid()));
        requirements.add(new UpdateRequirement.AssertRefSnapshotID(SnapshotRef.MAIN_BRANCH, added.parentId()));
        return KeptHistory.addedTo(new UpdateTableRequest(requirements, request.updates()));
    }

    /** The snapshot that the commit adds and makes the current one. */
    private static Snapshot snapshot(UpdateTableRequest request) {
        List<Snapshot> added = new ArrayList<>();
        int moves = 0;
        for (MetadataUpdate update : request.updates()) {
            if (update instanceof MetadataUpdate.AddSnapshot snapshot
                    && OPERATIONS.contains(snapshot.snapshot().operation())) {
                added.add(snapshot.snapshot());
            } else if (update instanceof MetadataUpdate.SetSnapshotRef set
                    && set.name().equals(SnapshotRef.MAIN_BRANCH)
                    && added.size() == 1
                    && set.snapshotId() == added.getFirst().snapshotId()) {
                moves++;
            } else {
                throw new ForbiddenException(
                        "The query service commits deletes only, and this has the change %s",
                        update.getClass().getSimpleName());
            }
        }
        if (added.size() != 1 || added.getFirst().parentId() == null || moves != 1) {
            throw new ValidationException(
                    "A commit of the query service has one snapshot that follows another, and moves branch %s to it",
                    SnapshotRef.MAIN_BRANCH);
        }
        return added.getFirst();
    }
}
