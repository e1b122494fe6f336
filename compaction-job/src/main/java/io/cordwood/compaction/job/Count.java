package io.cordwood.compaction.job;

import java.util.Collection;
import java.util.Locale;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/** The job's counters: metrics for the dashboard, and accumulators for callers that wait for the job's end. */
public enum Count {
    TABLES,
    TABLES_FAILED,
    LOGBLOCKS_EXPIRED,
    ROWS_EXPIRED,
    SNAPSHOTS_EXPIRED,
    MANIFESTS_MERGED,
    ORPHANS_DELETED,
    DELETIONS_GONE,
    MERGES,
    MERGES_VOID,
    MERGES_FAILED,
    FILES_READ,
    FILES_WRITTEN,
    FILES_DENSE,
    BYTES_READ,
    BYTES_WRITTEN,
    ROWS,
    ROWS_REMOVED;

    /** Name of the metric and of the accumulator. */
    public String metric() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Registers the counters. */
    static void register(RuntimeContext context, Collection<Count> counts) {
        for (Count count : counts) {
            LongCounter counter = context.getLongCounter(count.metric());
            context.getMetricGroup().gauge(count.metric(), counter::getLocalValuePrimitive);
        }
    }

    void add(RuntimeContext context, long value) {
        context.getLongCounter(metric()).add(value);
    }
}
