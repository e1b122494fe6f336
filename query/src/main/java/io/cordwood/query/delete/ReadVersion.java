package io.cordwood.query.delete;

/**
 * The snapshot of a table that a deletion reads. Immutable.
 *
 * @param tableUuid UUID of the table
 * @param tableLocation location of its objects
 * @param snapshotId id of the snapshot
 */
public record ReadVersion(String tableUuid, String tableLocation, long snapshotId) {}
