package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.search.alert.TrackedAlert.Change;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one Alertmanager has taken, and what it is sent next: every change of an alert, and alerts that fire again and
 * again. One thread sends, so that no older request overtakes a later one; any thread asks what was taken.
 *
 * <p>It is not stored: another service that goes on sends all again, which Alertmanager recognises by labels and start.
 *
 * <p>An alert that Alertmanager does not take must not block the others: those that were tried longest ago come first,
 * a request that fails is followed by a smaller one, and alerts of one that was found malformed go one by one.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int MAX_ALERTS = 64;
    private static final int MAX_BYTES = 512 * 1024;
    private static final int MALFORMED = 400;
    private static final Duration MAX_REQUEST = Duration.ofSeconds(10);
    /** Less than this is not enough for a request. */
    private static final Duration MIN_REQUEST = Duration.ofMillis(500);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int MAX_DOUBLINGS = 6;
    /** An alert that fires is overdue when it was not taken for as many times of a resend. */
    private static final int OVERDUE = 2;

    /**
     * An answer that holds until the alert changes.
     *
     * @param isRefused whether Alertmanager found the alert malformed, or took it
     */
    private record Answer(Change change, long nanos, boolean isRefused) {}

    /** A request: alerts and their elements of its body. */
    private record Batch(List<Alert> alerts, List<String> elements) {}

    private final URI uri;
    private final AlertmanagerClient client;
    private final AlertMessages messages;
    private final Duration resend;
    private final AlertMetrics metrics;
    private final Map<AlertKey, Answer> answers = new ConcurrentHashMap<>();
    /** When alerts were sent last, taken or not, by {@link System#nanoTime}. */
    private final Map<AlertKey, Long> attempts = new ConcurrentHashMap<>();
    /** Alerts that may be what a request failed by. */
    private final Set<AlertKey> suspects = ConcurrentHashMap.newKeySet();

    private int maxAlerts = MAX_ALERTS;
    private int failures;
    private long pauseUntil = System.nanoTime();

    Outbox(URI alertmanager, HttpClient http, AlertMessages messages, Duration resend, AlertMetrics metrics) {
        this.uri = URI.create(alertmanager.toString().replaceFirst("/+$", "") + "/api/v2/alerts");
        this.client = new AlertmanagerClient(uri, http);
        this.messages = messages;
        this.resend = resend;
        this.metrics = metrics;
    }

    /** Forgets what was taken, as this service evaluates no more or begins to. */
    void clear() {
        keep(Set.of());
    }

    /** Whether it has taken the last change of an alert. */
    boolean hasTaken(Alert alert) {
        Answer last = answers.get(AlertKey.of(alert));
        return isOf(last, alert) && !last.isRefused();
    }

    /** Whether it has found the last change of an alert malformed. */
    boolean hasRefused(Alert alert) {
        Answer last = answers.get(AlertKey.of(alert));
        return isOf(last, alert) && last.isRefused();
    }

    /** Whether it has taken the last change of an alert, and not too long ago if the alert fires. */
    boolean isUpToDate(Alert alert) {
        Answer last = answers.get(AlertKey.of(alert));
        return isOf(last, alert) && !last.isRefused() && !isOlder(alert, last, resend.multipliedBy(OVERDUE));
    }

    private static boolean isOf(Answer last, Alert alert) {
        return last != null && last.change().equals(TrackedAlert.change(alert));
    }

    private static boolean isOlder(Alert alert, Answer last, Duration age) {
        return alert.status().state() == State.FIRING && System.nanoTime() - last.nanos() >= age.toNanos();
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
        List<Alert> due = due(tracked);
        if (due.isEmpty()) {
            return;
        }
        Batch batch = batch(due, clock.instant());
        long now = System.nanoTime();
        batch.alerts().forEach(alert -> attempts.put(AlertKey.of(alert), now));
        try {
            String body = AlertMessages.body(batch.elements());
            answered(batch.alerts(), client.post(body, time.compareTo(MAX_REQUEST) < 0 ? time : MAX_REQUEST));
        } catch (AlertmanagerClient.NoAnswerException e) {
            failed(batch.alerts().size(), e.getMessage());
        }
    }

    /** Those that were never sent first, and then those that were sent longest ago. */
    private List<Alert> due(Collection<TrackedAlert> tracked) {
        long now = System.nanoTime();
        return tracked.stream()
                .map(TrackedAlert::stored)
                .filter(alert -> TrackedAlert.isSent(alert.status()) && isDue(alert))
                .map(alert -> Map.entry(age(AlertKey.of(alert), now), alert))
                .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private long age(AlertKey key, long now) {
        Long last = attempts.get(key);
        return last == null ? Long.MAX_VALUE : now - last;
    }

    private boolean isDue(Alert alert) {
        Answer last = answers.get(AlertKey.of(alert));
        return !isOf(last, alert) || (!last.isRefused() && isOlder(alert, last, resend));
    }

    private Batch batch(List<Alert> due, Instant now) {
        Batch batch = new Batch(new ArrayList<>(), new ArrayList<>());
        boolean isAlone = isSuspect(due.getFirst());
        int bytes = 0;
        for (Alert alert : isAlone ? due.subList(0, 1) : due) {
            if (batch.alerts().size() == maxAlerts) {
                break;
            }
            if (!isAlone && isSuspect(alert)) {
                continue;
            }
            String element = messages.element(alert, now);
            bytes += element.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes > MAX_BYTES && !batch.alerts().isEmpty()) {
                break;
            }
            batch.alerts().add(alert);
            batch.elements().add(element);
        }
        return batch;
    }

    private boolean isSuspect(Alert alert) {
        return suspects.contains(AlertKey.of(alert));
    }

    private void answered(List<Alert> alerts, AlertmanagerClient.Response response) {
        if (response.status() / 100 == 2) {
            metrics.sent(alerts.size());
            settle(alerts, false);
            alerts.forEach(alert -> suspects.remove(AlertKey.of(alert)));
            maxAlerts = Math.min(MAX_ALERTS, 2 * maxAlerts);
        } else if (response.status() != MALFORMED) {
            failed(alerts.size(), "status " + response.status() + " " + response.text());
            if (alerts.size() == 1) {
                suspect(alerts);
            } else {
                maxAlerts = alerts.size() / 2;
            }
        } else if (alerts.size() > 1) {
            // It may have taken some of them; which ones it finds malformed the next requests show
            LOG.warn(
                    "{} refuses some of {} alerts, which are sent one by one: {}", uri, alerts.size(), response.text());
            metrics.unsent(alerts.size());
            suspect(alerts);
            failures = 0;
        } else {
            AlertKey key = AlertKey.of(alerts.getFirst());
            LOG.error(
                    "{} refuses the alert of rule '{}' of tenant '{}', which is not sent until it changes: {}",
                    uri,
                    key.name(),
                    key.tenantId(),
                    response.text());
            metrics.refused();
            suspect(alerts);
            settle(alerts, true);
        }
    }

    private void suspect(List<Alert> alerts) {
        alerts.forEach(alert -> suspects.add(AlertKey.of(alert)));
    }

    private void settle(List<Alert> alerts, boolean isRefused) {
        failures = 0;
        long now = System.nanoTime();
        alerts.forEach(
                alert -> answers.put(AlertKey.of(alert), new Answer(TrackedAlert.change(alert), now, isRefused)));
    }

    private void failed(int alerts, String why) {
        metrics.unsent(alerts);
        LOG.warn("{} did not take {} alerts, which are sent again: {}", uri, alerts, why);
        pauseUntil = System.nanoTime() + (FIRST_PAUSE.toNanos() << Math.min(failures, MAX_DOUBLINGS));
        failures++;
    }

    /** Forgets alerts that are no more. */
    void keep(Collection<AlertKey> keys) {
        answers.keySet().retainAll(keys);
        attempts.keySet().retainAll(keys);
        suspects.retainAll(keys);
    }
}
