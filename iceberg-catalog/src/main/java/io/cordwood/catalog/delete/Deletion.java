package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalLong;

/**
 * A deletion of rows by predicate, as the registry keeps it. Immutable. Times are milliseconds since 1970.
 *
 * @param id never used before
 * @param tenantId whose rows
 * @param stream of which stream
 * @param predicate which rows, as far as it is known
 * @param query what asked for it, as an id that the query engine's log knows
 * @param user who asked for it
 * @param requestedAt when it was asked for
 * @param rows how many rows were deleted
 * @param dataFiles locations of the LogBlocks that hold the rows
 * @param snapshotId the snapshot from which on nobody sees the rows; empty before it is committed
 * @param goneAt when none of the LogBlocks existed any more; empty before
 */
public record Deletion(
        String id,
        String tenantId,
        String stream,
        String predicate,
        String query,
        String user,
        long requestedAt,
        long rows,
        List<String> dataFiles,
        OptionalLong snapshotId,
        OptionalLong goneAt) {
    /** How far a deletion is. */
    public enum Status {
        /** Asked for, and not known to be committed. */
        PENDING,
        /** No query sees the rows; their bytes are still there. */
        INVISIBLE,
        /** The objects that held the rows are gone. */
        GONE
    }

    public Deletion {
        requireNonNull(id, "id is null");
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(stream, "stream is null");
        dataFiles = List.copyOf(dataFiles);
    }

    /** How far it is. */
    public Status status() {
        if (goneAt.isPresent()) {
            return Status.GONE;
        }
        return snapshotId.isPresent() ? Status.INVISIBLE : Status.PENDING;
    }

    /** The same, committed by this snapshot. */
    public Deletion committed(long snapshot) {
        return new Deletion(
                id,
                tenantId,
                stream,
                predicate,
                query,
                user,
                requestedAt,
                rows,
                dataFiles,
                OptionalLong.of(snapshot),
                goneAt);
    }

    /** The same, with nothing left of the objects that held the rows. */
    public Deletion gone(long atMillis) {
        return new Deletion(
                id,
                tenantId,
                stream,
                predicate,
                query,
                user,
                requestedAt,
                rows,
                dataFiles,
                snapshotId,
                OptionalLong.of(atMillis));
    }
}
