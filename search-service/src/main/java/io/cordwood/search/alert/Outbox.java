package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.search.alert.TrackedAlert.Change;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one Alertmanager has taken, and what it is sent next: every change of an alert, and alerts that fire again and
 * again. One thread sends, so that no older request overtakes a later one; any thread asks what was taken.
 *
 * <p>It is not stored: another service that goes on sends all again, which Alertmanager recognises by labels and start.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int MAX_ALERTS = 64;
    private static final int MALFORMED = 400;
    private static final Duration MAX_REQUEST = Duration.ofSeconds(10);
    /** Less than this is not enough for a request. */
    private static final Duration MIN_REQUEST = Duration.ofMillis(500);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int MAX_DOUBLINGS = 6;

    private record Taken(Change change, long nanos) {}

    private final URI uri;
    private final HttpClient http;
    private final AlertMessages messages;
    private final Duration resend;
    private final AlertMetrics metrics;
    private final Map<AlertKey, Taken> taken = new ConcurrentHashMap<>();
    private int failures;
    private long pauseUntil = System.nanoTime();

    Outbox(URI alertmanager, HttpClient http, AlertMessages messages, Duration resend, AlertMetrics metrics) {
        this.uri = URI.create(alertmanager.toString().replaceFirst("/+$", "") + "/api/v2/alerts");
        this.http = http;
        this.messages = messages;
        this.resend = resend;
        this.metrics = metrics;
    }

    /** Forgets what was taken, as this service evaluates no more or begins to. */
    void clear() {
        taken.clear();
    }

    /** Whether it has taken the last change of an alert. */
    boolean hasTaken(Alert alert) {
        Taken last = taken.get(AlertKey.of(alert));
        return last != null && last.change().equals(TrackedAlert.change(alert));
    }

    /**
     * Sends what is due.
     *
     * @param tracked all alerts
     * @param time the time for which this service is still the one that sends
     */
    void send(Collection<TrackedAlert> tracked, Duration time, InstantSource clock) throws InterruptedException {
        if (System.nanoTime() - pauseUntil < 0 || time.compareTo(MIN_REQUEST) < 0) {
            return;
        }
        List<Alert> due = tracked.stream()
                .map(TrackedAlert::stored)
                .filter(alert -> TrackedAlert.isSent(alert.status()) && isDue(alert))
                .limit(MAX_ALERTS)
                .toList();
        if (due.isEmpty()) {
            return;
        }
        Duration limit = time.compareTo(MAX_REQUEST) < 0 ? time : MAX_REQUEST;
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(limit)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(messages.body(due, clock.instant())))
                .build();
        try {
            answered(due, http.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            failed(due.size(), e.toString());
        }
    }

    private boolean isDue(Alert alert) {
        Taken last = taken.get(AlertKey.of(alert));
        if (last == null || !last.change().equals(TrackedAlert.change(alert))) {
            return true;
        }
        return alert.status().state() == State.FIRING && System.nanoTime() - last.nanos() >= resend.toNanos();
    }

    private void answered(List<Alert> alerts, HttpResponse<String> response) {
        int status = response.statusCode();
        if (status == MALFORMED) {
            // It has taken the others of the request, and would refuse these again
            LOG.error("{} refuses alerts: {}", uri, response.body());
            metrics.refused(alerts.size());
        } else if (status / 100 == 2) {
            metrics.sent(alerts.size());
        } else {
            failed(alerts.size(), "status " + status);
            return;
        }
        failures = 0;
        long now = System.nanoTime();
        alerts.forEach(alert -> taken.put(AlertKey.of(alert), new Taken(TrackedAlert.change(alert), now)));
    }

    private void failed(int alerts, String why) {
        metrics.unsent(alerts);
        LOG.warn("{} did not take {} alerts, which are sent again: {}", uri, alerts, why);
        pauseUntil = System.nanoTime() + (FIRST_PAUSE.toNanos() << Math.min(failures, MAX_DOUBLINGS));
        failures++;
    }

    /** Forgets alerts that are no more. */
    void keep(Collection<AlertKey> keys) {
        taken.keySet().retainAll(keys);
    }
}
