package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The present time by clocks other than the caller's. Immutable.
 *
 * @param service time by the clock of the catalog service
 * @param appended a lower bound of the time by the clocks of Kafka's brokers: the newest append time in storage, plus
 *     the time that has passed since then while the service ran; empty if no table has a row yet
 */
public record ClockReadings(Instant service, Optional<Instant> appended) {
    /** Append times are known to the hour. */
    private static final Duration APPENDED_WITHIN = Duration.ofHours(1);

    public ClockReadings {
        requireNonNull(service, "service is null");
        requireNonNull(appended, "appended is null");
    }

    /** The earliest of all clocks, including the caller's. It decides whether a row or an object has expired. */
    public Instant earliest(Instant host) {
        return earliest(host, Duration.ZERO);
    }

    /**
     * The earliest of all clocks, including the caller's, with the latest time of the brokers that is possible while
     * rows come. It decides about data that should go soon, and does no lasting harm if it goes too early by that much.
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
