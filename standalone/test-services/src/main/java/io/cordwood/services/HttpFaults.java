package io.cordwood.services;

import java.time.Duration;

/**
 * What goes wrong between a client and an HTTP server. Immutable.
 *
 * @param latency added to each request
 * @param unavailable share of requests that are answered 503, and do not reach the server
 * @param reset share of requests whose connection is reset: half of them before they reach the server, half after it
 *     has done them
 * @param truncated share of answers whose body breaks off in the middle
 * @param slow share of answers whose body comes slowly: {@link #SLOW_PIECES} pieces with {@link #SLOW_PAUSE} between
 */
public record HttpFaults(Duration latency, double unavailable, double reset, double truncated, double slow) {
    /** Nothing goes wrong. */
    public static final HttpFaults NONE = new HttpFaults(Duration.ZERO, 0, 0, 0, 0);

    /** Pieces of a slow answer. */
    public static final int SLOW_PIECES = 10;

    /** Between two pieces of a slow answer. */
    public static final Duration SLOW_PAUSE = Duration.ofMillis(200);
}
