package io.cordwood.catalog.server.table;

import io.cordwood.catalog.usage.UsageJournal;
import java.util.Optional;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/** The change of a commit to the {@link UsageJournal} of its table. Stateless. */
public final class UsageUpdate {
    private UsageUpdate() {}

    /**
     * The journal after the commit; empty if it does not change.
     *
     * @throws IllegalArgumentException if it is malformed, or removed
     */
    public static Optional<UsageJournal> journal(UpdateTableRequest request) {
        Optional<UsageJournal> journal = Optional.empty();
        for (MetadataUpdate update : request.updates()) {
            if (update instanceof MetadataUpdate.SetProperties set
                    && set.updated().containsKey(UsageJournal.PROPERTY)) {
                journal = Optional.of(UsageJournal.fromJson(set.updated().get(UsageJournal.PROPERTY)));
            } else if (update instanceof MetadataUpdate.RemoveProperties remove
                    && remove.removed().contains(UsageJournal.PROPERTY)) {
                throw new IllegalArgumentException("Property %s cannot be removed".formatted(UsageJournal.PROPERTY));
            }
        }
        return journal;
    }

    /**
     * UUID of the table that the commit is for.
     *
     * @throws IllegalArgumentException if the commit does not assert it
     */
    public static String tableUuid(UpdateTableRequest request) {
        return request.requirements().stream()
                .filter(UpdateRequirement.AssertTableUUID.class::isInstance)
                .map(requirement -> ((UpdateRequirement.AssertTableUUID) requirement).uuid())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Property %s can change only in a commit that asserts the UUID of the table"
                                .formatted(UsageJournal.PROPERTY)));
    }
}
