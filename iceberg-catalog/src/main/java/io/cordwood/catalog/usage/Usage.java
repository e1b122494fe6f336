package io.cordwood.catalog.usage;

import static java.util.Objects.requireNonNull;

/**
 * A tenant's usage of a stream in one hour. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param hour UTC hour, hours since the epoch
 * @param ingested rows that Kafka appended within the hour and that are in tables
 * @param scannedBytes bytes that queries read in the hour
 */
public record Usage(String tenantId, String stream, long hour, IngestTotals ingested, long scannedBytes) {
    public Usage {
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(stream, "stream is null");
        requireNonNull(ingested, "ingested is null");
    }
}
