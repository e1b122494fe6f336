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

    private final StreamFollower follower;
    private final String tenantId;
    private final ScanFilter filter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<TailRows> waiting = new ArrayDeque<>();
    private long bytes;
    private long dropped;
    private long skipped;

    Tail(StreamFollower follower, String tenantId, ScanFilter filter) {
        this.follower = follower;
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
            if (bytes > 0 && bytes + size > MAX_BYTES) {
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

    /** Notes that Kafka removed records before they were read. */
    void skip(long records) {
        lock.lock();
        try {
            skipped += records;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for rows, and takes all that there are.
     *
     * @return empty if none came in this time
     */
    public List<TailRows> take(Duration wait) throws InterruptedException {
        lock.lock();
        try {
            long nanos = wait.toNanos();
            while (waiting.isEmpty() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            List<TailRows> taken = List.copyOf(waiting);
            waiting.clear();
            bytes = 0;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Why no rows come now, such as a Kafka that does not answer; empty if nothing is wrong. */
    public Optional<String> trouble() {
        return follower.trouble();
    }

    /** Ends it. */
    @Override
    public void close() {
        follower.remove(this);
    }
}
