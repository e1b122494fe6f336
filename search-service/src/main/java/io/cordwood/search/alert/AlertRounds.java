package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.search.http.ApiException;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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

    /** After it has failed to store an alert, the registry has this time to recover. */
    private static final Duration STORE_PAUSE = Duration.ofSeconds(5);

    private static final int TIMEOUT = 408;
    private static final int TOO_MANY = 429;

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

    /** Number of this service; 0 if it is not admitted. */
    private final AtomicLong admitted = new AtomicLong();

    /** Whether the last attempt to store an alert has failed: one stack trace is enough. */
    private final AtomicBoolean hasFailedToStore = new AtomicBoolean();

    private volatile Instant reloaded = Instant.EPOCH;

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
        long fence = admitted.get();
        return fence != 0 && fence == leadership.fence() ? leadership.remaining() : Duration.ZERO;
    }

    /** Begins the evaluations that are due. @throws RuntimeException if the registry does not answer */
    void round() {
        try {
            if (leadership.remaining().isZero()) {
                forget();
            } else if (isAdmitted()) {
                reloadIfDue();
                runDue();
            }
        } finally {
            measure();
        }
    }

    private void forget() {
        admitted.set(0);
        tracked.clear();
        outboxes.forEach(Outbox::clear);
    }

    private boolean isAdmitted() {
        long fence = leadership.fence();
        if (fence == 0 || fence == admitted.get()) {
            return fence != 0;
        }
        forget();
        long greatest = registry.admit(fence);
        if (greatest > fence) {
            leadership.giveUp(greatest);
            return false;
        }
        reloaded = Instant.EPOCH;
        admitted.set(fence);
        metrics.rulesRead();
        LOG.info("This service evaluates the alert rules");
        return true;
    }

    private void reloadIfDue() {
        Instant now = clock.instant();
        if (isAhead(reloaded.plus(reload), now, reload)) {
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
        metrics.rulesRead();
    }

    /** Whether a time is still to come. One that is later than it can be is of a clock that was wrong. */
    private static boolean isAhead(Instant time, Instant now, Duration most) {
        return time.isAfter(now) && !time.isAfter(now.plus(most));
    }

    /**
     * What is to be done for an alert.
     *
     * @param at since when it waits
     */
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
        Instant now = clock.instant();
        if (isAhead(alert.notStoredBefore(), now, STORE_PAUSE)) {
            return Optional.empty();
        }
        if (isDelivered(stored)) {
            Alert ended = stored.with(stored.status().delivered());
            return Optional.of(new Due(alert, Instant.MIN, fence -> store(alert, ended, fence)));
        }
        Optional<Instant> evaluated = stored.status().evaluated();
        EvaluationTimes.Next first = EvaluationTimes.next(stored.rule(), evaluated, now);
        EvaluationTimes.Next next =
                alert.isNewestNext() ? EvaluationTimes.newest(stored.rule(), evaluated, now) : first;
        return next.at().isAfter(now)
                        || isAhead(alert.notBefore(), now, stored.rule().every())
                ? Optional.empty()
                : Optional.of(new Due(alert, first.at(), fence -> evaluate(alert, next, fence)));
    }

    private boolean isDelivered(Alert alert) {
        if (alert.status().state() != State.RESOLVED) {
            return false;
        }
        boolean isOld =
                alert.status().since().orElseThrow().isBefore(clock.instant().minus(MAX_RESOLVED));
        return outboxes.stream().allMatch(outbox -> outbox.hasTaken(alert))
                || (isOld && outboxes.stream().anyMatch(outbox -> outbox.hasTaken(alert) || outbox.hasRefused(alert)));
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
        long fence = admitted.get();
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
            if (store(alert, before.with(status), fence)) {
                alert.takeNewestNext(false);
                metrics.evaluated();
                metrics.skipped(next.skipped());
            } else {
                metrics.failed();
            }
        } catch (RuntimeException e) {
            metrics.failed();
            ApiException failure = Failures.of(e);
            alert.takeNewestNext(isOfQuestion(failure.status()));
            String why = failure.getMessage();
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

    /** Whether the question itself is wrong or too large, so that the same one would fail again. */
    private static boolean isOfQuestion(int status) {
        return status / 100 == 4 && status != TIMEOUT && status != TOO_MANY;
    }

    /** Stores a status; what is not stored is not sent. Returns false if the registry has failed to store. */
    private boolean store(TrackedAlert alert, Alert next, long fence) {
        Alert before = alert.stored();
        try {
            if (registry.store(next, fence)) {
                alert.store(next);
                hasFailedToStore.set(false);
            } else {
                // The rule has changed
                reloaded = Instant.EPOCH;
            }
            return true;
        } catch (AlertRegistry.FencedException e) {
            LOG.info("Another service evaluates the alert rules");
            // Unless it was admitted anew since
            admitted.compareAndSet(fence, 0);
            return false;
        } catch (RuntimeException e) {
            // It may be stored nevertheless: the next evaluation begins from what is
            AlertRule rule = before.rule();
            if (hasFailedToStore.getAndSet(true)) {
                LOG.warn("Cannot store alert '{}' of tenant '{}': {}", rule.name(), rule.tenantId(), e.toString());
            } else {
                LOG.warn("Cannot store alert '{}' of tenant '{}'", rule.name(), rule.tenantId(), e);
            }
            alert.storeAgainAt(clock.instant().plus(STORE_PAUSE));
            reloaded = Instant.EPOCH;
            return false;
        }
    }

    private void measure() {
        Map<State, Long> states = new EnumMap<>(State.class);
        long undelivered = 0;
        for (TrackedAlert alert : tracked.values()) {
            Alert stored = alert.stored();
            states.merge(stored.status().state(), 1L, Long::sum);
            if (TrackedAlert.isSent(stored.status())
                    && !outboxes.stream().allMatch(outbox -> outbox.isUpToDate(stored))) {
                undelivered++;
            }
        }
        metrics.state(admitted.get() != 0, states, undelivered);
    }
}
