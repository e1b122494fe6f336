package io.cordwood.catalog.server.table;

import java.util.Set;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/** The rule for commits of the query service: they delete rows, and do nothing else. Stateless. */
public final class DeletesOnly {
    private static final Set<String> OPERATIONS = Set.of(DataOperations.DELETE, DataOperations.OVERWRITE);

    private DeletesOnly() {}

    /** Checks a commit. @throws ForbiddenException unless it only adds snapshots that delete rows to branch main */
    public static void check(UpdateTableRequest request) {
        for (MetadataUpdate update : request.updates()) {
            boolean allowed = switch (update) {
                case MetadataUpdate.AddSnapshot added -> deletes(added.snapshot());
                case MetadataUpdate.SetSnapshotRef set -> set.name().equals(SnapshotRef.MAIN_BRANCH);
                default -> false;
            };
            if (!allowed) {
                throw new ForbiddenException(
                        "The query service commits deletes only, and this has the change %s",
                        update.getClass().getSimpleName());
            }
        }
    }

    private static boolean deletes(Snapshot snapshot) {
        return OPERATIONS.contains(snapshot.operation())
                && !snapshot.summary().containsKey(SnapshotSummary.ADDED_FILES_PROP)
                && !snapshot.summary().containsKey(SnapshotSummary.ADDED_RECORDS_PROP);
    }
}
