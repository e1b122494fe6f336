package io.cordwood.catalog.server.table;

import java.util.List;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * Recognises a commit that succeeded before and is sent again because its response was lost. Stateless.
 *
 * <p>Its requirements fail the second time, and after that error a client would delete the manifest list of a committed
 * snapshot. A commit is all or nothing, and a manifest list is written by only one attempt. So if the table has the
 * request's snapshots with the same manifest lists, this very request was applied. A creation is recognised by the UUID
 * that the client gave the table.
 */
public final class RepeatedCommit {
    private RepeatedCommit() {}

    public static boolean isRepeated(UpdateTableRequest request, TableMetadata table) {
        List<Snapshot> added = request.updates().stream()
                .filter(MetadataUpdate.AddSnapshot.class::isInstance)
                .map(update -> ((MetadataUpdate.AddSnapshot) update).snapshot())
                .toList();
        if (!added.isEmpty()) {
            return added.stream().allMatch(snapshot -> holds(table, snapshot));
        }
        boolean creates =
                request.requirements().stream().anyMatch(UpdateRequirement.AssertTableDoesNotExist.class::isInstance);
        return creates
                && request.updates().stream()
                        .anyMatch(update -> update instanceof MetadataUpdate.AssignUUID assigned
                                && assigned.uuid().equals(table.uuid()));
    }

    private static boolean holds(TableMetadata table, Snapshot snapshot) {
        Snapshot known = table.snapshot(snapshot.snapshotId());
        return known != null
                && snapshot.manifestListLocation() != null
                && snapshot.manifestListLocation().equals(known.manifestListLocation());
    }
}
