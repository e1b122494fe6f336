package io.cordwood.balancer.service;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A producer that sends what it may, and a broker that throttles it as Kafka's {@code ClientQuotaManager} does; time is
 * told.
 */
final class Throttled {
    private static final long WINDOW_MILLIS = 11_000;
    private static final double BUFFER_SECONDS = 1;

    private final double requestBytes;
    /** All bytes that were sent up to a time. */
    private final NavigableMap<Long, Double> sent = new TreeMap<>(Map.of(0L, 0.0));

    private double due;
    private double quota = Double.POSITIVE_INFINITY;
    private long mutedUntilMillis;

    /** @param requestBytes the most that one request carries */
    Throttled(double requestBytes) {
        this.requestBytes = requestBytes;
    }

    /** For requests from now on; who is being made to wait goes on to. */
    void quota(double bytesPerSecond) {
        quota = bytesPerSecond;
    }

    /** Wants to send for some time, and sends what it may. */
    void step(long atMillis, long millis, double demandPerSecond) {
        due = Math.min(due + demandPerSecond * millis / 1e3, demandPerSecond * BUFFER_SECONDS);
        while (due >= 1 && atMillis >= mutedUntilMillis) {
            double bytes = Math.min(due, requestBytes);
            due -= bytes;
            sent.put(atMillis, sent.lastEntry().getValue() + bytes);
            double rate = bytesSince(atMillis - WINDOW_MILLIS) * 1e3 / WINDOW_MILLIS;
            if (rate > quota) {
                mutedUntilMillis = atMillis + Math.round((rate - quota) / quota * WINDOW_MILLIS);
            }
        }
    }

    /** What was sent after that time. */
    double bytesSince(long millis) {
        return sent.lastEntry().getValue() - sent.floorEntry(millis).getValue();
    }
}
