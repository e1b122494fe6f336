package io.cordwood.services;

import java.time.Duration;

/**
 * Faults between a client and an HTTP server. Immutable.
 *
 * @param latency added to each request
 * @param unavailable share of requests that are answered 503, and do not reach the server
 * @param reset share of requests whose connection is reset: half of them before they reach the server, half after it
 *     has done them
 * @param truncated share of responses with a truncated body
 * @param slow share of responses with a slow body: {@link #SLOW_PARTS} parts with {@link #SLOW_PAUSE} between
 */
public record HttpFaults(Duration latency, double unavailable, double reset, double truncated, double slow) {
    /** No faults. */
    public static final HttpFaults NONE = new HttpFaults(Duration.ZERO, 0, 0, 0, 0);

    /** Number of parts of a slow response. */
    public static final int SLOW_PARTS = 10;

    /** Pause between two parts of a slow response. */
    public static final Duration SLOW_PAUSE = Duration.ofMillis(200);
}
