package io.cordwood.search.alert;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The operator's settings for alerts. Immutable.
 *
 * @param alertmanagers addresses of Alertmanagers, each of which gets all alerts; empty: this service evaluates none
 * @param page address of the search page for links; empty: alerts have no links
 * @param delay how long a window has ended before its rows are counted, so that rows that are late are counted
 * @param lease how long a service that has died stays the one that evaluates
 * @param resend time after which an alert that still fires is sent again; Alertmanager ends it after four times that
 * @param reload time after which changes of rules are seen
 */
public record AlertSettings(
        List<URI> alertmanagers, Optional<URI> page, Duration delay, Duration lease, Duration resend, Duration reload) {
    /** No alerts. */
    public static final AlertSettings NONE =
            new AlertSettings(List.of(), Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public AlertSettings {
        alertmanagers = List.copyOf(alertmanagers);
        requireNonNull(page, "page is null");
        requireNonNull(delay, "delay is null");
        requireNonNull(lease, "lease is null");
        requireNonNull(resend, "resend is null");
        requireNonNull(reload, "reload is null");
    }
}
