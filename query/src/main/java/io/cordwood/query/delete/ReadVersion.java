package io.cordwood.query.delete;

/**
 * The snapshot of a table that a deletion reads. Immutable.
 *
 * @param tableUuid the table
 * @param tableLocation where its objects lie
 * @param snapshotId the snapshot
 */
public record ReadVersion(String tableUuid, String tableLocation, long snapshotId) {}
