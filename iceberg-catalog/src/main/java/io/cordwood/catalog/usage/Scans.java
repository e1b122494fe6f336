package io.cordwood.catalog.usage;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * How many bytes queries on one node have read since it started. Totals, not differences: what is reported twice, or in
 * a report whose answer was lost, counts once. Immutable.
 *
 * @param incarnation names the start of the node; no two starts share it
 * @param firstOpenHour UTC hour, hours since the epoch: once this report is taken, the node has nothing more to say of
 *     those before
 * @param totals those that may have changed since the last report
 */
public record Scans(String incarnation, long firstOpenHour, List<Total> totals) {
    /** As first open hour: all are open. */
    public static final long NONE_CLOSED = Long.MIN_VALUE;

    /**
     * What was read of a stream in one hour.
     *
     * @param tenantId whose rows
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
