package io.cordwood.ingest.builder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Orders due flushes, a limited number at a time: a checkpoint barrier waits for all flushes in progress. The others
 * follow a little later, with rows and barriers in between. Used by the task thread only.
 */
final class FlushSchedule {
    /** Approximate interval of the search for due flushes, which visits all tenants. */
    static final long SEARCH_MILLIS = 1000;
    /** Flushes in progress per thread before more due flushes are ordered. */
    static final int MAX_ORDERED = 32;
    /** The delay until the rest are ordered. */
    static final long REST_MILLIS = 100;

    private final Supplier<List<DueFlushes.Due>> search;
    private final Flushes flushes;
    private final int threads;
    private final int maxAgedFlushes;
    /** Due flushes that are not ordered yet. */
    private Deque<DueFlushes.Due> due = new ArrayDeque<>();

    private int ticksToSearch;
    private int agedFlushes;

    /** The flushes in progress. */
    interface Flushes {
        /** Number of flushes in progress. */
        int inProgress();

        /** Begins a flush of the tenant's oldest rows; waits if the tenant has one in progress or memory is short. */
        void flush(TenantBuffer tenant, FlushReason reason) throws Exception;
    }

    /**
     * A schedule without due flushes.
     *
     * @param search finds the due flushes, the most urgent first
     * @param threads number of threads that build LogBlocks
     * @param maxAgedFlushes maximum number of flushes per checkpoint that no client requested
     */
    FlushSchedule(Supplier<List<DueFlushes.Due>> search, Flushes flushes, int threads, int maxAgedFlushes) {
        this.search = search;
        this.flushes = flushes;
        this.threads = threads;
        this.maxAgedFlushes = maxAgedFlushes;
    }

    /**
     * Orders due flushes, and searches for new ones from time to time.
     *
     * @return delay until the next call, in milliseconds
     */
    long tick() throws Exception {
        ticksToSearch--;
        if (due.isEmpty() || ticksToSearch <= 0) {
            ticksToSearch = (int) (SEARCH_MILLIS / REST_MILLIS);
            due = new ArrayDeque<>(search.get());
        }
        order();
        return due.isEmpty() ? SEARCH_MILLIS : REST_MILLIS;
    }

    /**
     * Orders due flushes up to the limit of flushes in progress. Orders some in any case, because flushes by size or
     * memory fill the limit too.
     */
    private void order() throws Exception {
        int free = Math.max(threads, MAX_ORDERED * threads - flushes.inProgress());
        while (free > 0 && !due.isEmpty()) {
            DueFlushes.Due next = due.removeFirst();
            boolean bounded = next.reason() != FlushReason.REQUEST;
            if (next.isOver() || (bounded && agedFlushes >= maxAgedFlushes)) {
                continue;
            }
            if (bounded) {
                agedFlushes++;
            }
            free--;
            flushes.flush(next.tenant(), next.reason());
        }
    }

    /** Notes a checkpoint: the limits of flushes per checkpoint start anew. */
    void checkpoint() {
        agedFlushes = 0;
    }
}
