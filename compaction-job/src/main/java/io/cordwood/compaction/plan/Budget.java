package io.cordwood.compaction.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The merges of one cycle: of all that were found those that gain most for each byte, as many as may be rewritten. What
 * does not fit is found again in the next cycle. Holds no more than the merges that fit. Not thread-safe.
 *
 * @param <T> what stands for a merge
 */
public final class Budget<T> {
    private static final Comparator<Offer<?>> BY_WORTH = Comparator.comparing((Offer<?> offer) -> offer.urgent())
            .thenComparingDouble(offer -> offer.gainPerByte())
            .thenComparing(
                    Comparator.comparingLong((Offer<?> offer) -> offer.bytes()).reversed());

    private final long mostBytes;
    /** The least worthy first. */
    private final PriorityQueue<Offer<T>> kept = new PriorityQueue<>(BY_WORTH);

    private long bytes;
    private long refused;

    /** @param mostBytes bytes that may be rewritten; the worthiest merge always may */
    public Budget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    private record Offer<T>(T merge, long bytes, double gainPerByte, boolean urgent) {}

    /**
     * Adds a merge that was found.
     *
     * @param urgent comes before all that are not
     */
    public void offer(T merge, long mergeBytes, double gainPerByte, boolean urgent) {
        kept.add(new Offer<>(merge, mergeBytes, gainPerByte, urgent));
        bytes += mergeBytes;
        while (bytes > mostBytes && kept.size() > 1) {
            bytes -= kept.remove().bytes();
            refused++;
        }
    }

    /** The merges that fit, the worthiest first. */
    public List<T> merges() {
        List<Offer<T>> offers = new ArrayList<>(kept);
        offers.sort(BY_WORTH.reversed());
        return offers.stream().map(Offer::merge).toList();
    }

    /** How many did not fit. */
    public long refused() {
        return refused;
    }
}
