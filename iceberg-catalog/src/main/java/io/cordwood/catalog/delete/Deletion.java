package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalLong;

/**
 * A registered deletion of rows by predicate. Immutable. Times are milliseconds since 1970.
 *
 * @param id unique id, never used before
 * @param tenantId tenant of the rows
 * @param stream stream of the rows
 * @param predicate condition of the rows, as far as it is known
 * @param query id of the requesting query in the query engine's log
 * @param user requesting user
 * @param requestedAt time of the request
 * @param rows number of deleted rows
 * @param dataFiles locations of the LogBlocks that hold the rows
 * @param snapshotId the snapshot from which on the rows are invisible; empty before it is committed
 * @param goneAt time when none of the LogBlocks existed any more; empty before
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
    /** The progress of a deletion. */
    public enum Status {
        /** Requested, and not known to be committed. */
        PENDING,
        /** No query sees the rows, but their bytes still exist. */
        INVISIBLE,
        /** The objects with the rows are gone. */
        GONE
    }

    public Deletion {
        requireNonNull(id, "id is null");
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(stream, "stream is null");
        dataFiles = List.copyOf(dataFiles);
    }

    /** Its progress. */
    public Status status() {
        if (goneAt.isPresent()) {
            return Status.GONE;
        }
        return snapshotId.isPresent() ? Status.INVISIBLE : Status.PENDING;
    }

    /** The deletion, committed by this snapshot. */
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

    /** The deletion, after the objects with the rows are gone. */
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
