package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScannedLogBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts LogBlocks into splits of the right size: enough splits for all threads, but none that costs more to schedule
 * than to read. Immutable.
 */
public final class SplitGrouping {
    /** Opening a LogBlock takes about as long as reading so many bytes of it. */
    private static final long OPENING_COST = 256 << 10;
    /** A split that costs less is not worth scheduling by itself. */
    private static final long MIN_COST = 1 << 20;

    private static final long MAX_COST = 64 << 20;
    private static final int MAX_MEMBERS = 256;
    /** A LogBlock is cut into parts of no fewer rows. */
    public static final long MIN_PART_ROWS = 100_000;

    private static final int SPLITS_PER_THREAD = 2;
    /** How many LogBlocks the first split of a top-n has; each further one has twice as many. */
    private static final int FIRST_TOP_N = 4;

    private final int nodes;
    private final int threads;

    /**
     * For a cluster of that size.
     *
     * @param nodes how many nodes read
     * @param threadsPerNode how many splits each of them reads at once
     */
    public SplitGrouping(int nodes, int threadsPerNode) {
        this.nodes = Math.max(1, nodes);
        this.threads = this.nodes * threadsPerNode;
    }

    /** What a split of a LogBlock of this length costs, in bytes read. */
    public static long cost(long sizeInBytes) {
        return sizeInBytes + OPENING_COST;
    }

    private static long cost(TimeOverlap overlap) {
        return cost(overlap.bytes());
    }

    /**
     * Splits in any order of reading.
     *
     * @param time when the rows that are wanted are from
     * @param cut whether a large LogBlock may be read in parts, each of which finds its rows anew
     */
    public List<LogBlockGroup> any(List<ScannedLogBlock> logBlocks, TimeRange time, boolean cut) {
        List<TimeOverlap> overlaps =
                logBlocks.stream().map(each -> TimeOverlap.of(each, time)).toList();
        long total = overlaps.stream().mapToLong(SplitGrouping::cost).sum();
        long target = Math.clamp(total / ((long) threads * SPLITS_PER_THREAD), MIN_COST, MAX_COST);
        List<LogBlockGroup> splits = new ArrayList<>();
        List<LogBlockPart> group = new ArrayList<>();
        long cost = 0;
        for (TimeOverlap overlap : overlaps) {
            int parts = cut ? parts(overlap, target) : 1;
            if (parts > 1) {
                overlap.slices(parts).forEach(slice -> splits.add(new LogBlockGroup(List.of(slice), SplitOrder.ANY)));
                continue;
            }
            group.add(LogBlockPart.whole(overlap.logBlock()));
            cost += cost(overlap);
            if (cost >= target || group.size() == MAX_MEMBERS) {
                splits.add(new LogBlockGroup(group, SplitOrder.ANY));
                group.clear();
                cost = 0;
            }
        }
        if (!group.isEmpty()) {
            splits.add(new LogBlockGroup(group, SplitOrder.ANY));
        }
        return splits;
    }

    private static int parts(TimeOverlap overlap, long target) {
        long parts = Math.min(overlap.rows() / MIN_PART_ROWS, Math.ceilDiv(cost(overlap), target));
        return Math.clamp(parts, 1, overlap.mostParts());
    }

    private SplitOrder order(boolean first) {
        if (nodes > 1) {
            return SplitOrder.ANY;
        }
        return first ? SplitOrder.FIRST : SplitOrder.LATER;
    }

    /** Splits of LogBlocks that are ordered by how soon a top-n wants them: few in the first, which often suffices. */
    public List<LogBlockGroup> ordered(List<ScannedLogBlock> logBlocks) {
        List<LogBlockGroup> splits = new ArrayList<>();
        int size = FIRST_TOP_N;
        for (int from = 0; from < logBlocks.size(); ) {
            int to = Math.min(from + size, logBlocks.size());
            splits.add(new LogBlockGroup(
                    logBlocks.subList(from, to).stream()
                            .map(LogBlockPart::whole)
                            .toList(),
                    order(from == 0)));
            from = to;
            size = Math.min(size * 2, MAX_MEMBERS);
        }
        return splits;
    }
}
