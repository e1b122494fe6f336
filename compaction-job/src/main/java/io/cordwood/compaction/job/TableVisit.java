package io.cordwood.compaction.job;

import io.cordwood.catalog.protocol.Pointers.TablePointer;

/**
 * A table to be maintained in a cycle. Immutable.
 *
 * @param cycle number of the cycle, from 0
 * @param tables number of tables in the cycle
 * @param nowMillis start of the cycle by {@link io.cordwood.catalog.protocol.ClockReadings#earliestToTheHour},
 *     milliseconds since the epoch; decides about snapshots
 * @param expiryMillis start of the cycle by {@link io.cordwood.catalog.protocol.ClockReadings#earliest}; decides about
 *     the expiry of rows and objects
 * @param tenantId the tenant
 * @param stream the stream
 * @param namespace the tenant's schema name
 * @param metadataLocation its current metadata file
 * @param retentionDays how many days its rows are kept; 0: for ever
 * @param hasDeletions whether storage may still hold rows that were deleted
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
    /** The same visit in a cycle of {@code count} tables. */
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

    /** Key that serialises the visits of one table. */
    public String key() {
        return stream + '/' + namespace;
    }
}
