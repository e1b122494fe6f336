package io.cordwood.catalog.usage;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Bytes that queries on one node have read since it started. These are totals, not differences, so that an amount
 * counts once even if it is reported twice, or in a report whose response was lost. Immutable.
 *
 * @param incarnation unique name of the node's start
 * @param firstOpenHour UTC hour, hours since the epoch; after this report, the node reports nothing more for earlier
 *     hours
 * @param totals totals that may have changed since the last report
 */
public record Scans(String incarnation, long firstOpenHour, List<Total> totals) {
    /** As first open hour: no hour is closed. */
    public static final long NONE_CLOSED = Long.MIN_VALUE;

    /**
     * Bytes read of a stream in one hour.
     *
     * @param tenantId tenant of the rows
     * @param stream the stream
     * @param hour UTC hour, hours since the epoch
     * @param bytes bytes read so far
     */
    public record Total(String tenantId, String stream, long hour, long bytes) {
        public Total {
            requireNonNull(tenantId, "tenantId is null");
            requireNonNull(stream, "stream is null");
        }
    }

    public Scans {
        requireNonNull(incarnation, "incarnation is null");
        totals = List.copyOf(totals);
    }
}
