package io.cordwood.ingest.builder;

import io.cordwood.ingest.runtime.JobClock;
import java.util.List;

/**
 * Searches a subtask's partitions for due flushes, with the catalog's newest archived-through offsets and flush
 * requests, and tells the throttle how many rows wait. Used by the task thread only.
 */
final class FlushSearch {
    private final AssignedPartitions partitions;
    private final FlushRequests requests;
    private final DueFlushes dueFlushes;
    private final ColumnDeclarations declarations;
    private final Throttle throttle;
    private final JobClock clock;

    FlushSearch(
            AssignedPartitions partitions,
            FlushRequests requests,
            DueFlushes dueFlushes,
            ColumnDeclarations declarations,
            Throttle throttle,
            JobClock clock) {
        this.partitions = partitions;
        this.requests = requests;
        this.dueFlushes = dueFlushes;
        this.declarations = declarations;
        this.throttle = throttle;
        this.clock = clock;
    }

    /** Polls the catalog, and returns the due flushes in the order to make them. */
    List<DueFlushes.Due> search() {
        partitions.pollArchivedThrough(clock.ticks());
        long waiting = partitions.waitingBytes();
        throttle.waiting(waiting);
        // A client that requests flushes of tenants may have deleted them and their tables.
        requests.poll(partitions.streams(), clock.ticks())
                .forEach((stream, requested) -> declarations.forget(partitions.all(), stream, requested));
        return dueFlushes.due(partitions.all(), requests, waiting, clock);
    }
}
