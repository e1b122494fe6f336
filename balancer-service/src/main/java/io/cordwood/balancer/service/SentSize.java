package io.cordwood.balancer.service;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many bytes producers send for a byte of record values: less than one where batches are compressed, more where
 * small records are not. Rates are counted in the latter, Kafka's quotas in the former. Not thread-safe.
 *
 * <p>Full batches compress better than small ones, so it differs from look to look; what counts is the mean of the last
 * looks, each by how much was sent.
 *
 * <p>It is seen by how much the partitions have grown on disk, over all tenants. Tenants that are held back send fuller
 * batches than the others, which compress better, and Kafka lets through a little more than quotas say, as it forgets
 * whole bursts at once. So once some press against quotas, it counts what came from them for what they were allowed.
 * One that compresses better than the others of them may still send more than its share.
 */
final class SentSize {
    /** Less would say little. */
    private static final long LEAST_RECORDS = 100;

    /** How much of what was seen before counts beside a new look: that of five looks ago a third. */
    private static final double KEPT = 0.8;

    /** Looks that are further apart than so many windows are not compared: what came in between says nothing of now. */
    private static final int APART = 5;
    /** As long as this they are compared, however short a window is. */
    private static final long APART_MILLIS = 60_000;
    /** After so many looks that told nothing it is not waited for any longer. */
    private static final int VAIN_LOOKS = 3;

    private static final double LEAST = 0.01;
    private static final double MOST = 10;
    /** Those who press send no less for a byte of values than this part of what all send for it. */
    private static final double LEAST_OF_HELD = 0.5;

    private final long windowMillis;
    private Look last = new Look(0, Map.of(), Map.of());
    private long triedAt;
    private int vainLooks;
    private double sentBytes;
    private double valueBytes;
    private double allowedBytes;
    private double heldValueBytes;
    private OptionalDouble ratio = OptionalDouble.empty();

    /** Ends and sizes of partitions at a moment. */
    private record Look(long ticks, Map<Integer, Long> ends, Map<Integer, Long> stored) {}

    /**
     * Who presses against quotas.
     *
     * @param quotas what they may send together, bytes per second as sent; 0 if none do, or not long enough to tell
     * @param others what all others send, bytes of values per second
     */
    record Pressing(double quotas, double others) {
        static final Pressing NONE = new Pressing(0, 0);
    }

    /** @param windowMillis the least time between two looks that are compared */
    SentSize(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** Whether it is time for another look. */
    boolean isDue(long ticks) {
        return ticks - triedAt >= windowMillis;
    }

    /**
     * Takes note of how large partitions are.
     *
     * @param stored bytes by partition
     * @param bytesOfAValue mean bytes of a record's value; 0 if unknown
     */
    void observe(Offsets offsets, Map<Integer, Long> stored, double bytesOfAValue, Pressing pressing) {
        Look look = new Look(offsets.ticks(), Map.copyOf(offsets.ends()), Map.copyOf(stored));
        triedAt = look.ticks();
        if (last.ticks() == 0) {
            last = look;
            return;
        }
        if (look.ticks() - last.ticks() <= Math.max(APART * windowMillis, APART_MILLIS)) {
            compare(last, look, bytesOfAValue, pressing);
        } else {
            lookInVain();
        }
        last = look;
    }

    /** Takes note that it could not be seen how large partitions are. */
    void fail(long ticks) {
        triedAt = ticks;
        lookInVain();
    }

    private void lookInVain() {
        vainLooks++;
        if (ratio.isEmpty() && vainLooks >= VAIN_LOOKS) {
            ratio = OptionalDouble.of(1);
        }
    }

    /**
     * Bytes sent for a byte of values; empty until two looks were compared or some were in vain, 1 as long as that told
     * too little.
     */
    OptionalDouble ratio() {
        return ratio;
    }

    private void compare(Look before, Look now, double bytesOfAValue, Pressing pressing) {
        long records = 0;
        long bytes = 0;
        for (Map.Entry<Integer, Long> partition : now.stored().entrySet()) {
            Long storedBefore = before.stored().get(partition.getKey());
            Long endBefore = before.ends().get(partition.getKey());
            Long end = now.ends().get(partition.getKey());
            // One that has become smaller has lost its oldest records meanwhile.
            if (storedBefore != null && endBefore != null && end != null && partition.getValue() >= storedBefore) {
                records += end - endBefore;
                bytes += partition.getValue() - storedBefore;
            }
        }
        if (records >= LEAST_RECORDS && bytesOfAValue > 0) {
            sentBytes = KEPT * sentBytes + bytes;
            valueBytes = KEPT * valueBytes + records * bytesOfAValue;
            observeHeld(records * bytesOfAValue, pressing, (now.ticks() - before.ticks()) / 1e3);
            ratio = OptionalDouble.of(ofHeld(Math.clamp(sentBytes / valueBytes, LEAST, MOST)));
        } else if (ratio.isEmpty()) {
            ratio = OptionalDouble.of(1);
        }
    }

    private void observeHeld(double cameBytes, Pressing pressing, double seconds) {
        double theirs = cameBytes - pressing.others() * seconds;
        if (pressing.quotas() > 0 && theirs > 0) {
            allowedBytes = KEPT * allowedBytes + pressing.quotas() * seconds;
            heldValueBytes = KEPT * heldValueBytes + theirs;
        }
    }

    private double ofHeld(double ofAll) {
        return heldValueBytes > 0 ? Math.clamp(allowedBytes / heldValueBytes, LEAST_OF_HELD * ofAll, ofAll) : ofAll;
    }
}
