package io.cordwood.compaction.job;

import io.cordwood.catalog.Pointers.TablePointer;

/**
 * A table that is to be looked at in a cycle. Immutable.
 *
 * @param cycle number of the cycle, from 0
 * @param tables how many tables the cycle looks at
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
        String tenantId,
        String stream,
        String namespace,
        String metadataLocation,
        int retentionDays,
        boolean hasDeletions) {
    /** The same in a cycle of so many tables. */
    TableVisit of(int count) {
        return new TableVisit(cycle, count, tenantId, stream, namespace, metadataLocation, retentionDays, hasDeletions);
    }

    TablePointer pointer() {
        return new TablePointer(tenantId, namespace, metadataLocation);
    }

    /** Looks at one table come one after the other. */
    public String key() {
        return stream + '/' + namespace;
    }
}
