package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What time it is by clocks that are not the caller's. Immutable.
 *
 * @param service by the clock of the catalog service
 * @param appended no later than it is by the clocks of Kafka's brokers: the newest append time in the lake, and what
 *     time has passed since then while the service ran; empty if the lake has no row yet
 */
public record ClockReadings(Instant service, Optional<Instant> appended) {
    /** Append times are told by the hour. */
    private static final Duration APPENDED_WITHIN = Duration.ofHours(1);

    public ClockReadings {
        requireNonNull(service, "service is null");
        requireNonNull(appended, "appended is null");
    }

    /** The earliest of all clocks and the caller's: no row or object that has not expired by it may go. */
    public Instant earliest(Instant host) {
        return earliest(host, Duration.ZERO);
    }

    /**
     * The earliest of all clocks and the caller's, where the brokers' time is taken to be as late as it may be while
     * rows come. For what is to go soon, and does no lasting harm if it goes by that much too early.
     */
    public Instant earliestToTheHour(Instant host) {
        return earliest(host, APPENDED_WITHIN);
    }

    private Instant earliest(Instant host, Duration late) {
        Instant earliest = host.isBefore(service) ? host : service;
        return appended.map(time -> time.plus(late))
                .filter(time -> time.isBefore(earliest))
                .orElse(earliest);
    }
}
