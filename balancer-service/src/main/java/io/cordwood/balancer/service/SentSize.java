package io.cordwood.balancer.service;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * Bytes that producers send per byte of record values: below one with compressed batches, above one with small
 * uncompressed records. Rates are in bytes of values, Kafka's quotas in bytes sent. Not thread-safe.
 *
 * <p>Full batches compress better than small ones, so the ratio differs between samples; the result is the mean of the
 * last samples, weighted by traffic.
 *
 * <p>The growth of the partitions on disk shows it, over all tenants. Throttled tenants send fuller batches than the
 * others, which compress better, and Kafka admits a little more than the quotas, as it forgets whole bursts at once. So
 * while some tenants press against quotas, their traffic counts as what their quotas admit. A tenant that compresses
 * better than the other throttled ones may still send more than its share.
 */
final class SentSize {
    /** Fewer records would say little. */
    private static final long LEAST_RECORDS = 100;

    /** Weight of earlier samples beside a new one: the sample five before it counts a third. */
    private static final double KEPT = 0.8;

    /** Samples further apart than this many windows are not compared: the traffic in between is not that of now. */
    private static final int APART = 5;
    /** Samples are compared up to this distance, however short a window is. */
    private static final long APART_MILLIS = 60_000;
    /** After so many useless samples, callers no longer wait for a result. */
    private static final int MOST_USELESS_SAMPLES = 3;

    private static final double LEAST = 0.01;
    private static final double MOST = 10;
    /** Least ratio of pressing tenants, as a share of the ratio of all. */
    private static final double LEAST_OF_HELD = 0.5;

    private final long windowMillis;
    private Sample last = new Sample(0, Map.of(), Map.of());
    private long triedAt;
    private int uselessSamples;
    private double sentBytes;
    private double valueBytes;
    private double allowedBytes;
    private double heldValueBytes;
    private OptionalDouble ratio = OptionalDouble.empty();

    /** Ends and sizes of partitions at one time. */
    private record Sample(long ticks, Map<Integer, Long> ends, Map<Integer, Long> stored) {}

    /**
     * Tenants that press against quotas.
     *
     * @param quotas sum of their quotas, bytes per second as sent; 0 if there are none, or not for long enough
     * @param others rate of all other tenants, bytes of values per second
     */
    record Pressing(double quotas, double others) {
        static final Pressing NONE = new Pressing(0, 0);
    }

    /** @param windowMillis least time between two samples that are compared */
    SentSize(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** Whether the next sample is due. */
    boolean isDue(long ticks) {
        return ticks - triedAt >= windowMillis;
    }

    /**
     * Records the sizes of partitions.
     *
     * @param stored bytes by partition
     * @param bytesOfAValue mean bytes of a record's value; 0 if unknown
     */
    void observe(Offsets offsets, Map<Integer, Long> stored, double bytesOfAValue, Pressing pressing) {
        Sample sample = new Sample(offsets.ticks(), Map.copyOf(offsets.ends()), Map.copyOf(stored));
        triedAt = sample.ticks();
        if (last.ticks() == 0) {
            last = sample;
            return;
        }
        if (sample.ticks() - last.ticks() <= Math.max(APART * windowMillis, APART_MILLIS)) {
            compare(last, sample, bytesOfAValue, pressing);
        } else {
            countUselessSample();
        }
        last = sample;
    }

    /** Records a failure to read the sizes of partitions. */
    void fail(long ticks) {
        triedAt = ticks;
        countUselessSample();
    }

    private void countUselessSample() {
        uselessSamples++;
        if (ratio.isEmpty() && uselessSamples >= MOST_USELESS_SAMPLES) {
            ratio = OptionalDouble.of(1);
        }
    }

    /**
     * Bytes sent per byte of values; empty until two samples were compared or some were useless; 1 while the samples
     * said too little.
     */
    OptionalDouble ratio() {
        return ratio;
    }

    private void compare(Sample before, Sample now, double bytesOfAValue, Pressing pressing) {
        long records = 0;
        long bytes = 0;
        for (Map.Entry<Integer, Long> partition : now.stored().entrySet()) {
            Long storedBefore = before.stored().get(partition.getKey());
            Long endBefore = before.ends().get(partition.getKey());
            Long end = now.ends().get(partition.getKey());
            // A smaller size means that the partition has lost its oldest records meanwhile.
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
