package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.search.http.Failures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the rules that are due, while this service leads, and stores the status of each alert. One thread calls
 * {@link #round}; any thread reads {@link #tracked}.
 *
 * <p>A notification is neither lost nor doubled if the leader ends at any point, by this order: The status is stored
 * first, with the leader's number, and sent only then. Whoever leads next sends every alert that fires or whose end is
 * not known to be taken, with the labels and the start that are stored. Before it reads them it has itself admitted, so
 * that no former leader changes them afterwards. Alertmanager recognises what it has taken before.
 */
final class AlertRounds {
    private static final Logger LOG = LoggerFactory.getLogger(AlertRounds.class);

    /** After this time an end need not have been taken by every Alertmanager: the others have ended it themselves. */
    private static final Duration MAX_RESOLVED = Duration.ofMinutes(15);

    /** Evaluates a rule at a time. */
    @FunctionalInterface
    interface Evaluation {
        AlertStatus evaluate(AlertRule rule, AlertStatus before, Instant at) throws InterruptedException;
    }

    private final AlertRegistry registry;
    private final Evaluation evaluation;
    private final Leadership leadership;
    private final List<Outbox> outboxes;
    private final AlertMetrics metrics;
    private final Executor workers;
    private final Duration reload;
    private final InstantSource clock;

    private final Map<AlertKey, TrackedAlert> tracked = new ConcurrentHashMap<>();
    /** Tenants whose rule is evaluated now: one at a time of each, so that none delays the others. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private volatile long admitted;
    private volatile Instant reloaded = Instant.MIN;

    AlertRounds(
            AlertRegistry registry,
            Evaluation evaluation,
            Leadership leadership,
            List<Outbox> outboxes,
            AlertMetrics metrics,
            Executor workers,
            Duration reload,
            InstantSource clock) {
        this.registry = registry;
        this.evaluation = evaluation;
        this.leadership = leadership;
        this.outboxes = List.copyOf(outboxes);
        this.metrics = metrics;
        this.workers = workers;
        this.reload = reload;
        this.clock = clock;
    }

    /** The alerts as they are stored, while this service leads. */
    Collection<TrackedAlert> tracked() {
        return tracked.values();
    }

    /** The time for which what is tracked may be sent. */
    Duration sendingTime() {
        return admitted != 0 && admitted == leadership.fence() ? leadership.remaining() : Duration.ZERO;
    }

    /** Begins the evaluations that are due. @throws RuntimeException if the registry does not answer */
    void round() {
        if (leadership.remaining().isZero()) {
            forget();
        } else if (isAdmitted()) {
            reloadIfDue();
            runDue();
        }
        measure();
    }

    private void forget() {
        admitted = 0;
        tracked.clear();
        outboxes.forEach(Outbox::clear);
    }

    private boolean isAdmitted() {
        long fence = leadership.fence();
        if (fence == 0 || fence == admitted) {
            return fence != 0;
        }
        forget();
        long greatest = registry.admit(fence);
        if (greatest > fence) {
            leadership.giveUp(greatest);
            return false;
        }
        reloaded = Instant.MIN;
        admitted = fence;
        LOG.info("This service evaluates the alert rules");
        return true;
    }

    private void reloadIfDue() {
        Instant now = clock.instant();
        if (reloaded.isAfter(now.minus(reload))) {
            return;
        }
        Set<AlertKey> changing = new HashSet<>();
        tracked.forEach((key, alert) -> {
            if (alert.isRunning()) {
                changing.add(key);
            }
        });
        Set<AlertKey> present = new HashSet<>(changing);
        for (Alert alert : registry.alerts()) {
            AlertKey key = AlertKey.of(alert);
            if (present.add(key)) {
                tracked.computeIfAbsent(key, any -> new TrackedAlert(alert)).refresh(alert);
            }
        }
        tracked.keySet().retainAll(present);
        outboxes.forEach(outbox -> outbox.keep(present));
        reloaded = now;
    }

    private record Due(TrackedAlert alert, Instant at, Work work) {}

    /** The oldest first, so that none of a tenant's rules waits for ever. */
    private void runDue() {
        tracked.values().stream()
                .filter(alert -> !alert.isRunning())
                .flatMap(alert -> due(alert).stream())
                .sorted(Comparator.comparing(Due::at))
                .forEach(this::run);
    }

    private Optional<Due> due(TrackedAlert alert) {
        Alert stored = alert.stored();
        if (isDelivered(stored)) {
            Alert ended = stored.with(stored.status().delivered());
            return Optional.of(new Due(alert, Instant.MIN, fence -> store(alert, ended, fence)));
        }
        Instant now = clock.instant();
        EvaluationTimes.Next next =
                EvaluationTimes.next(stored.rule(), stored.status().evaluated(), now);
        return next.at().isAfter(now) || alert.notBefore().isAfter(now)
                ? Optional.empty()
                : Optional.of(new Due(alert, next.at(), fence -> evaluate(alert, next, fence)));
    }

    private boolean isDelivered(Alert alert) {
        if (alert.status().state() != State.RESOLVED) {
            return false;
        }
        long taken = outboxes.stream().filter(outbox -> outbox.hasTaken(alert)).count();
        boolean isOld =
                alert.status().since().orElseThrow().isBefore(clock.instant().minus(MAX_RESOLVED));
        return taken == outboxes.size() || (taken > 0 && isOld);
    }

    /** Work that a leader of a number does. */
    @FunctionalInterface
    private interface Work {
        void run(long fence) throws InterruptedException;
    }

    private void run(Due due) {
        TrackedAlert alert = due.alert();
        String tenant = alert.stored().rule().tenantId();
        if (!busy.add(tenant)) {
            return;
        }
        long fence = admitted;
        alert.begin();
        workers.execute(() -> {
            try {
                due.work().run(fence);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                alert.end();
                busy.remove(tenant);
            }
        });
    }

    private void evaluate(TrackedAlert alert, EvaluationTimes.Next next, long fence) throws InterruptedException {
        Alert before = alert.stored();
        try {
            AlertStatus status = evaluation.evaluate(before.rule(), before.status(), next.at());
            store(alert, before.with(status), fence);
            metrics.evaluated();
            metrics.skipped(next.skipped());
        } catch (RuntimeException e) {
            metrics.failed();
            String why = Failures.of(e).getMessage();
            LOG.warn(
                    "Alert rule '{}' of tenant '{}' failed: {}",
                    before.rule().name(),
                    before.rule().tenantId(),
                    why);
            AlertStatus failed = before.status().failed(why);
            alert.retryAt(EvaluationTimes.after(before.rule().every(), clock.instant()));
            if (!failed.equals(before.status())) {
                store(alert, before.with(failed), fence);
            }
        }
    }

    /** Stores a status; what is not stored is not sent. */
    private void store(TrackedAlert alert, Alert next, long fence) {
        Alert before = alert.stored();
        try {
            if (registry.store(next, fence)) {
                alert.store(next);
            } else {
                // The rule has changed
                reloaded = Instant.MIN;
            }
        } catch (AlertRegistry.FencedException e) {
            LOG.info("Another service evaluates the alert rules");
            admitted = 0;
        } catch (RuntimeException e) {
            // It may be stored nevertheless: the next evaluation begins from what is
            LOG.warn(
                    "Cannot store alert '{}' of tenant '{}'",
                    before.rule().name(),
                    before.rule().tenantId(),
                    e);
            reloaded = Instant.MIN;
        }
    }

    private void measure() {
        Map<State, Long> states = new EnumMap<>(State.class);
        long undelivered = 0;
        for (TrackedAlert alert : tracked.values()) {
            Alert stored = alert.stored();
            states.merge(stored.status().state(), 1L, Long::sum);
            if (TrackedAlert.isSent(stored.status())
                    && !outboxes.stream().allMatch(outbox -> outbox.hasTaken(stored))) {
                undelivered++;
            }
        }
        metrics.state(admitted != 0, states, undelivered);
    }
}
