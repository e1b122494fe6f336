package io.cordwood.compaction.job;

import io.cordwood.catalog.protocol.Pointers.TablePointer;

/**
 * A table that is to be looked at in a cycle. Immutable.
 *
 * @param cycle number of the cycle, from 0
 * @param tables how many tables the cycle looks at
 * @param nowMillis when the cycle began, by the earliest clock to the hour, milliseconds since the epoch: snapshots
 *     go by it
 * @param expiryMillis the same by the earliest clock: rows and objects expire by it
 * @param tenantId the tenant
 * @param stream the stream
 * @param namespace the tenant's schema name
 * @param metadataLocation where its metadata is now
 * @param retentionDays how many days its rows are kept; 0: for ever
 * @param hasDeletions whether rows were deleted that are not known to be gone from storage
 */
public record TableVisit(
        long cycle,
        int tables,
        long nowMillis,
        long expiryMillis,
        String tenantId,
        String stream,
        String namespace,
        String metadataLocation,
        int retentionDays,
        boolean hasDeletions) {
    /** The same in a cycle of so many tables. */
    TableVisit of(int count) {
        return new TableVisit(
                cycle,
                count,
                nowMillis,
                expiryMillis,
                tenantId,
                stream,
                namespace,
                metadataLocation,
                retentionDays,
                hasDeletions);
    }

    TablePointer pointer() {
        return new TablePointer(tenantId, namespace, metadataLocation);
    }

    /** Looks at one table come one after the other. */
    public String key() {
        return stream + '/' + namespace;
    }
}
