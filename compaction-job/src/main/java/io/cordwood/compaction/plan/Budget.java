package io.cordwood.compaction.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The merges of one cycle: the most profitable ones per byte, up to the bytes that a cycle may rewrite. The next cycle
 * finds the others again. Holds only the merges that fit. Not thread-safe.
 *
 * @param <T> type of a merge
 */
public final class Budget<T> {
    private static final Comparator<Offer<?>> BY_WORTH = Comparator.comparing((Offer<?> offer) -> offer.urgent())
            .thenComparingDouble(offer -> offer.gainPerByte())
            .thenComparing(
                    Comparator.comparingLong((Offer<?> offer) -> offer.bytes()).reversed());

    private final long mostBytes;
    /** The least profitable first. */
    private final PriorityQueue<Offer<T>> kept = new PriorityQueue<>(BY_WORTH);

    private long bytes;
    private long refused;

    /** @param mostBytes bytes that may be rewritten; the most profitable merge is always taken */
    public Budget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    private record Offer<T>(T merge, long bytes, double gainPerByte, boolean urgent) {}

    /**
     * Offers a merge.
     *
     * @param urgent whether the merge precedes all that are not urgent
     */
    public void offer(T merge, long mergeBytes, double gainPerByte, boolean urgent) {
        kept.add(new Offer<>(merge, mergeBytes, gainPerByte, urgent));
        bytes += mergeBytes;
        while (bytes > mostBytes && kept.size() > 1) {
            bytes -= kept.remove().bytes();
            refused++;
        }
    }

    /** The merges that fit, the most profitable first. */
    public List<T> merges() {
        List<Offer<T>> offers = new ArrayList<>(kept);
        offers.sort(BY_WORTH.reversed());
        return offers.stream().map(Offer::merge).toList();
    }

    /** Number of merges that did not fit. */
    public long refused() {
        return refused;
    }
}
