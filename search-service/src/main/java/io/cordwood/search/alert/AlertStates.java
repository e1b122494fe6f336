package io.cordwood.search.alert;

import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The states of an alert from one evaluation to the next, as Prometheus has them. Stateless.
 *
 * <p>A state depends on the evaluations alone, not on when or by which service they ran. So another service that goes
 * on sends an alert with the same labels and the same start, which Alertmanager knows already. Times after the
 * evaluation, of a clock that was wrong, are taken as the evaluation's.
 */
final class AlertStates {
    private AlertStates() {}

    /** Whether an alert that was in this state begins to fire by a number of rows. */
    static boolean beginsToFire(AlertRule rule, AlertStatus before, Instant at, long value) {
        return rule.holds(value)
                && before.state() != State.FIRING
                && Duration.between(begun(before, at), at).compareTo(rule.holdFor()) >= 0;
    }

    /** Since when the condition holds, if it holds now. */
    private static Instant begun(AlertStatus before, Instant at) {
        return before.state() == State.PENDING ? earlier(before.since(), at) : at;
    }

    private static Instant earlier(Optional<Instant> time, Instant at) {
        return time.filter(at::isAfter).orElse(at);
    }

    /**
     * The status after an evaluation.
     *
     * @param at the evaluation
     * @param value the number of rows that it found
     * @param samples the rows of an alert that begins to fire
     */
    static AlertStatus next(AlertRule rule, AlertStatus before, Instant at, long value, List<String> samples) {
        if (beginsToFire(rule, before, at, value)) {
            return status(State.FIRING, at, at, value, Optional.of(at), samples);
        }
        if (rule.holds(value)) {
            return before.state() == State.FIRING
                    ? unchanged(before, at, value)
                    : status(State.PENDING, begun(before, at), at, value, Optional.empty(), List.of());
        }
        return switch (before.state()) {
            case FIRING -> status(State.RESOLVED, at, at, value, startsAt(before, at), before.samples());
            case PENDING -> status(State.INACTIVE, at, at, value, Optional.empty(), List.of());
            case INACTIVE, RESOLVED -> unchanged(before, at, value);
        };
    }

    private static AlertStatus unchanged(AlertStatus before, Instant at, long value) {
        return status(before.state(), earlier(before.since(), at), at, value, startsAt(before, at), before.samples());
    }

    private static Optional<Instant> startsAt(AlertStatus before, Instant at) {
        return before.startsAt().map(start -> earlier(Optional.of(start), at));
    }

    private static AlertStatus status(
            State state, Instant since, Instant at, long value, Optional<Instant> startsAt, List<String> samples) {
        return new AlertStatus(
                state,
                Optional.of(since),
                Optional.of(at),
                OptionalLong.of(value),
                startsAt,
                samples,
                Optional.empty());
    }
}
