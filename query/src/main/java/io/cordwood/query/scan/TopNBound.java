package io.cordwood.query.scan;

import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.plan.SplitOrder;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How far the top n of a scan reaches at most, as far as its LogBlocks on this node have shown: once some have given n
 * rows together, no row on the far side of them all can be among the first n. Thread-safe.
 *
 * <p>One split leads: the others wait until it has read its LogBlocks, which are the best, since mostly they then
 * need not read theirs.
 */
public final class TopNBound {
    /** So many rows of a LogBlock lie on the near side of a time, or at it. */
    private record Found(long rows, long micros) {}

    private final boolean newest;
    private final long wanted;
    private final AtomicBoolean led = new AtomicBoolean();
    private final CompletableFuture<Void> leaderDone = new CompletableFuture<>();
    /** What was found, farthest first; without the farthest of it there are fewer than n rows. */
    private final PriorityQueue<Found> found;

    private long rows;
    private volatile long bound;

    /**
     * A bound that excludes nothing yet.
     *
     * @param wanted n
     */
    public TopNBound(boolean newest, long wanted) {
        this.newest = newest;
        this.wanted = wanted;
        found = new PriorityQueue<>(
                newest
                        ? Comparator.comparingLong(Found::micros)
                        : Comparator.comparingLong(Found::micros).reversed());
        bound = newest ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** A LogBlock gave so many rows, and this is the farthest time among them. */
    synchronized void reached(long rowCount, long micros) {
        found.add(new Found(rowCount, micros));
        rows += rowCount;
        while (!found.isEmpty() && rows - found.peek().rows() >= wanted) {
            rows -= found.poll().rows();
        }
        if (rows >= wanted && !found.isEmpty()) {
            bound = found.peek().micros();
        }
    }

    /** Whether none of the LogBlock's rows can be wanted. */
    boolean excludes(ScannedLogBlock split) {
        return excludes(split.fromMicros(), split.toMicros());
    }

    /** Whether no row of these times can be wanted. */
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

    /** The leader has read what it had to, or was closed. */
    public void leaderIsDone() {
        leaderDone.complete(null);
    }

    /** Done when the leader is. */
    public CompletableFuture<Void> leaderDone() {
        return leaderDone;
    }
}
