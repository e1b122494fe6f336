package io.cordwood.query.scan;

import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.plan.SplitOrder;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bound of the times of a scan's top n, shared by its splits on one node. Once some LogBlocks have returned n rows
 * together, no row beyond all of these can be among the first n. Thread-safe.
 *
 * <p>One split leads and reads the best LogBlocks. The others wait for it, because afterwards they mostly need not read
 * theirs.
 */
public final class TopNBound {
    /** A number of rows of a LogBlock that lie at a time or on its near side. */
    private record Found(long rows, long micros) {}

    private final boolean newest;
    private final long count;
    private final AtomicBoolean led = new AtomicBoolean();
    private final CompletableFuture<Void> leaderDone = new CompletableFuture<>();
    /** The rows found, farthest first; without the farthest entry there are fewer than n rows. */
    private final PriorityQueue<Found> found;

    private long rows;
    private volatile long bound;

    /**
     * Creates a bound that excludes nothing yet.
     *
     * @param count the number n of rows
     */
    public TopNBound(boolean newest, long count) {
        this.newest = newest;
        this.count = count;
        found = new PriorityQueue<>(
                newest
                        ? Comparator.comparingLong(Found::micros)
                        : Comparator.comparingLong(Found::micros).reversed());
        bound = newest ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Records that a LogBlock returned rows, with the farthest time among them. */
    synchronized void reached(long rowCount, long micros) {
        found.add(new Found(rowCount, micros));
        rows += rowCount;
        while (!found.isEmpty() && rows - found.peek().rows() >= count) {
            rows -= found.poll().rows();
        }
        if (rows >= count && !found.isEmpty()) {
            bound = found.peek().micros();
        }
    }

    /** Whether none of the LogBlock's rows can be among the first n. */
    boolean excludes(ScannedLogBlock split) {
        return excludes(split.fromMicros(), split.toMicros());
    }

    /** Whether no row of these times can be among the first n. */
    boolean excludes(long fromMicros, long toMicros) {
        return newest ? toMicros < bound : fromMicros > bound;
    }

    /** Whether a split of this order leads. The leader must call {@link #leaderIsDone}. */
    public boolean leads(SplitOrder order) {
        return switch (order) {
            case FIRST -> true;
            case LATER -> false;
            case ANY -> led.compareAndSet(false, true);
        };
    }

    /** Records that the leader has read its LogBlocks, or was closed. */
    public void leaderIsDone() {
        leaderDone.complete(null);
    }

    /** A future that completes when the leader is done. */
    public CompletableFuture<Void> leaderDone() {
        return leaderDone;
    }
}
