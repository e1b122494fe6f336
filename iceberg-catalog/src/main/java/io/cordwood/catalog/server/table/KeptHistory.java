package io.cordwood.catalog.server.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotRefType;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * A requirement that refuses a commit after which a table's history could not go on, or would be kept for another time
 * than its operator chose. Snapshots follow the current one and each other, and only {@code main} moves. Immutable.
 *
 * <p>Because it is a requirement, Iceberg checks it against the very base of the commit.
 */
final class KeptHistory implements UpdateRequirement {
    private final List<MetadataUpdate> updates;

    private KeptHistory(List<MetadataUpdate> updates) {
        this.updates = updates;
    }

    /** Adds this as the last requirement of a request, so that a commit that lost a race fails for that reason. */
    static UpdateTableRequest addedTo(UpdateTableRequest request) {
        List<UpdateRequirement> requirements = new ArrayList<>(request.requirements());
        requirements.add(new KeptHistory(request.updates()));
        return new UpdateTableRequest(requirements, request.updates());
    }

    @Override
    public void validate(TableMetadata base) {
        long sequence = base.nextSequenceNumber();
        Long parent = base.currentSnapshot() == null
                ? null
                : Long.valueOf(base.currentSnapshot().snapshotId());
        for (MetadataUpdate update : updates) {
            switch (update) {
                case MetadataUpdate.AddSnapshot added -> {
                    checkFollows(added.snapshot(), sequence, parent);
                    sequence++;
                    parent = added.snapshot().snapshotId();
                }
                case MetadataUpdate.SetSnapshotRef set -> check(base, set);
                case MetadataUpdate.RemoveSnapshotRef removed ->
                    throw new ValidationException("Reference '%s' can be removed by an operator only", removed.name());
                case MetadataUpdate.RemoveSnapshots removed -> check(base, removed);
                default -> {}
            }
        }
    }

    /** A smaller number, or another parent, is that of a client that did not see the latest commit: it tries again. */
    private static void checkFollows(Snapshot added, long sequence, Long parent) {
        if (added.sequenceNumber() > sequence) {
            throw new ValidationException(
                    "Snapshot %d has sequence number %d, and the table's next is %d",
                    added.snapshotId(), added.sequenceNumber(), sequence);
        }
        if (added.sequenceNumber() < sequence || !Objects.equals(added.parentId(), parent)) {
            throw new CommitFailedException(
                    "Requirement failed: snapshot %d has parent %s and sequence number %d, and must have %s and %d",
                    added.snapshotId(), added.parentId(), added.sequenceNumber(), parent, sequence);
        }
    }

    private static void check(TableMetadata base, MetadataUpdate.SetSnapshotRef set) {
        if (!set.name().equals(SnapshotRef.MAIN_BRANCH)
                || !set.type().equalsIgnoreCase(SnapshotRefType.BRANCH.name())) {
            throw new ValidationException(
                    "Reference '%s' can be set by an operator only: commit to branch %s",
                    set.name(), SnapshotRef.MAIN_BRANCH);
        }
        // Clients repeat what the table has
        Optional<SnapshotRef> main = Optional.ofNullable(base.ref(SnapshotRef.MAIN_BRANCH));
        boolean same = Objects.equals(
                        set.minSnapshotsToKeep(),
                        main.map(SnapshotRef::minSnapshotsToKeep).orElse(null))
                && Objects.equals(
                        set.maxSnapshotAgeMs(),
                        main.map(SnapshotRef::maxSnapshotAgeMs).orElse(null))
                && Objects.equals(
                        set.maxRefAgeMs(), main.map(SnapshotRef::maxRefAgeMs).orElse(null));
        if (!same) {
            throw new ValidationException(
                    "How long snapshots of branch %s are kept can be changed by an operator only", set.name());
        }
    }

    /** Iceberg removes the references to a removed snapshot too. */
    private static void check(TableMetadata base, MetadataUpdate.RemoveSnapshots removed) {
        base.refs().forEach((name, reference) -> {
            if (removed.snapshotIds().contains(reference.snapshotId())) {
                throw new ValidationException(
                        "Snapshot %d cannot be removed: reference '%s' is to it", reference.snapshotId(), name);
            }
        });
    }
}
