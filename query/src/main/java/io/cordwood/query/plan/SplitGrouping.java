package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.PlanRequest.Readers;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups LogBlocks into splits of the right size: enough splits for all threads, but none that costs more to schedule
 * than to read. Immutable.
 */
final class SplitGrouping {
    /** The cost of opening a LogBlock, in bytes that could be read in the same time. */
    private static final long OPENING_COST = 256 << 10;
    /** The minimum cost of a split: scheduling a smaller one costs more than reading it. */
    private static final long MIN_COST = 1 << 20;

    private static final long MAX_COST = 64 << 20;
    private static final int MAX_MEMBERS = 256;
    /** The minimum number of rows of a part of a LogBlock. */
    static final long MIN_PART_ROWS = 100_000;

    private static final int SPLITS_PER_THREAD = 2;
    /** The number of LogBlocks in the first split of a top-n; each further split has twice as many. */
    private static final int FIRST_TOP_N = 4;

    private final Readers readers;

    SplitGrouping(Readers readers) {
        this.readers = readers;
    }

    /** The cost of a split of a LogBlock of this length, in bytes read. */
    static long cost(long sizeInBytes) {
        return sizeInBytes + OPENING_COST;
    }

    private static long cost(TimeOverlap overlap) {
        return cost(overlap.bytes());
    }

    /**
     * Groups LogBlocks that may be read in any order.
     *
     * @param time the time range of the requested rows
     * @param cut whether a large LogBlock may be read in parts; each part searches its rows again
     */
    List<LogBlockGroup> any(List<ScannedLogBlock> logBlocks, TimeRange time, boolean cut) {
        List<TimeOverlap> overlaps =
                logBlocks.stream().map(each -> TimeOverlap.of(each, time)).toList();
        long total = overlaps.stream().mapToLong(SplitGrouping::cost).sum();
        long target = Math.clamp(total / ((long) readers.threads() * SPLITS_PER_THREAD), MIN_COST, MAX_COST);
        List<LogBlockGroup> splits = new ArrayList<>();
        List<ScannedLogBlock> group = new ArrayList<>();
        long cost = 0;
        for (TimeOverlap overlap : overlaps) {
            int parts = cut ? parts(overlap, target) : 1;
            if (parts > 1) {
                overlap.slices(parts).forEach(slice -> splits.add(new LogBlockGroup(List.of(slice), SplitOrder.ANY)));
                continue;
            }
            group.add(overlap.logBlock());
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
        if (readers.nodes() > 1) {
            return SplitOrder.ANY;
        }
        return first ? SplitOrder.FIRST : SplitOrder.LATER;
    }

    /**
     * Groups LogBlocks that are sorted for a top-n, best first: the first split has few LogBlocks and often suffices.
     */
    List<LogBlockGroup> ordered(List<ScannedLogBlock> logBlocks) {
        List<LogBlockGroup> splits = new ArrayList<>();
        int size = FIRST_TOP_N;
        for (int from = 0; from < logBlocks.size(); ) {
            int to = Math.min(from + size, logBlocks.size());
            splits.add(new LogBlockGroup(logBlocks.subList(from, to), order(from == 0)));
            from = to;
            size = Math.min(size * 2, MAX_MEMBERS);
        }
        return splits;
    }
}
