package io.cordwood.catalog.server.table;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * A requirement that refuses a commit that lowers a table offset, or that changes the offsets without moving {@code
 * main} from its asserted snapshot. Immutable.
 *
 * <p>Because it is a requirement, Iceberg checks it against the very base of the commit. Topics may be dropped as a
 * whole, because a deleted topic never comes back under its id.
 */
final class OffsetsRequirement implements UpdateRequirement {
    private final UpdateTableRequest request;

    private OffsetsRequirement(UpdateTableRequest request) {
        this.request = request;
    }

    /**
     * Adds this as the last requirement of a request, so that a commit that lost a race fails with that reason first.
     */
    static UpdateTableRequest addedTo(UpdateTableRequest request) {
        List<UpdateRequirement> requirements = new ArrayList<>(request.requirements());
        requirements.add(new OffsetsRequirement(request));
        return new UpdateTableRequest(requirements, request.updates());
    }

    @Override
    public void validate(TableMetadata base) {
        String before = base.properties().get(TableOffsets.PROPERTY);
        String after = propertyAfter(before);
        if (Objects.equals(before, after)) {
            return;
        }
        if (after == null) {
            throw new ValidationException("Property %s cannot be removed", TableOffsets.PROPERTY);
        }
        TableOffsets next = TableOffsets.fromJson(after);
        checkNotLowered(TableOffsets.fromProperties(base.properties()), next);
        if (!movesMain(base)) {
            throw new ValidationException(
                    "Property %s can change only in a commit that moves branch main and asserts where it was",
                    TableOffsets.PROPERTY);
        }
    }

    private String propertyAfter(String before) {
        String property = before;
        for (MetadataUpdate update : request.updates()) {
            if (update instanceof MetadataUpdate.SetProperties set) {
                property = set.updated().getOrDefault(TableOffsets.PROPERTY, property);
            } else if (update instanceof MetadataUpdate.RemoveProperties remove
                    && remove.removed().contains(TableOffsets.PROPERTY)) {
                property = null;
            }
        }
        return property;
    }

    private static void checkNotLowered(TableOffsets before, TableOffsets after) {
        for (Map.Entry<PartitionId, Long> entry : before.entries().entrySet()) {
            PartitionId partition = entry.getKey();
            if (after.topicIds().contains(partition.topicId()) && after.offset(partition) < entry.getValue()) {
                throw new ValidationException(
                        "The table offset of %s cannot be lowered from %s to %s",
                        partition, entry.getValue(), after.offset(partition));
            }
        }
    }

    private boolean movesMain(TableMetadata base) {
        boolean asserts = request.requirements().stream()
                .anyMatch(requirement -> requirement instanceof AssertRefSnapshotID assertion
                        && assertion.refName().equals(SnapshotRef.MAIN_BRANCH));
        long current =
                base.currentSnapshot() == null ? -1 : base.currentSnapshot().snapshotId();
        return asserts
                && request.updates().stream()
                        .anyMatch(update -> update instanceof MetadataUpdate.SetSnapshotRef set
                                && set.name().equals(SnapshotRef.MAIN_BRANCH)
                                && set.snapshotId() != current);
    }
}
