package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vectors;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.table.QueryColumn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rows of one tenant's stream as they arrive, for one reader. It holds a bounded number of them; when the reader is too
 * slow, later ones are dropped and counted. Thread-safe.
 */
public final class Tail implements AutoCloseable {
    private static final long MAX_BYTES = 4 << 20;

    /** Why no rows come now. */
    public enum Trouble {
        /** Kafka or the catalog service does not answer. */
        UNAVAILABLE,
        /** The stream has no topic now. */
        NO_TOPIC,
        /** The tenant's table, or rows of it, cannot be read. */
        UNREADABLE
    }

    private final StreamFollower follower;
    private final TailBudget budget;
    private final String tenantId;
    private final ScanFilter filter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<TailRows> waiting = new ArrayDeque<>();
    private long bytes;
    private long dropped;
    private long skipped;
    private boolean closed;
    private volatile boolean isUnreadable;

    Tail(StreamFollower follower, TailBudget budget, String tenantId, ScanFilter filter) {
        this.follower = follower;
        this.budget = budget;
        this.tenantId = tenantId;
        this.filter = filter;
    }

    String tenantId() {
        return tenantId;
    }

    ScanFilter filter() {
        return filter;
    }

    /** Gives the reader more rows, or drops them if it already has too many. */
    void add(List<QueryColumn> columns, RowChunk rows) {
        long size = rows.vectors().stream().mapToLong(Vectors::valueBytes).sum() + (long) Long.BYTES * rows.size();
        lock.lock();
        try {
            isUnreadable = false;
            if (closed || bytes + size > MAX_BYTES || !budget.take(size)) {
                dropped += rows.size();
            } else {
                bytes += size;
                waiting.add(new TailRows(columns, rows, dropped, skipped));
                dropped = 0;
                skipped = 0;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that rows could not be read. */
    void drop(long rows) {
        lock.lock();
        try {
            isUnreadable = true;
            dropped += rows;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that Kafka removed records before they were read. */
    void skip(long records) {
        lock.lock();
        try {
            skipped += records;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for rows, and takes all that there are.
     *
     * @return the rows, the last of which may be none, with rows that were dropped or records that were skipped since;
     *     empty if nothing happened in this time
     */
    public List<TailRows> take(Duration wait) throws InterruptedException {
        lock.lock();
        try {
            long nanos = wait.toNanos();
            while (waiting.isEmpty() && dropped == 0 && skipped == 0 && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            if (dropped > 0 || skipped > 0) {
                waiting.add(new TailRows(List.of(), RowChunk.NONE, dropped, skipped));
                dropped = 0;
                skipped = 0;
            }
            List<TailRows> taken = List.copyOf(waiting);
            forgetWaiting();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void forgetWaiting() {
        waiting.clear();
        budget.giveBack(bytes);
        bytes = 0;
    }

    /** Why no rows come now; empty if nothing is wrong. */
    public Optional<Trouble> trouble() {
        return isUnreadable ? Optional.of(Trouble.UNREADABLE) : follower.trouble();
    }

    /** Ends it. */
    @Override
    public void close() {
        follower.remove(this);
        lock.lock();
        try {
            closed = true;
            forgetWaiting();
        } finally {
            lock.unlock();
        }
    }
}
