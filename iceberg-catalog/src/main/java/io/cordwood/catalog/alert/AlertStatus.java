package io.cordwood.catalog.alert;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of a rule's alert after its last evaluation. Immutable.
 *
 * @param state the state
 * @param since the evaluation at which the state began; empty before the first one
 * @param evaluated the last evaluation that succeeded; empty before the first one
 * @param value number of rows at that evaluation
 * @param startsAt of an alert that fires or has ended: when it began to fire
 * @param samples rows at that time, as JSON
 * @param error why the evaluations since have failed; empty if none has
 */
public record AlertStatus(
        State state,
        Optional<Instant> since,
        Optional<Instant> evaluated,
        OptionalLong value,
        Optional<Instant> startsAt,
        List<String> samples,
        Optional<String> error) {
    /** Of a rule that was not evaluated yet. */
    public static final AlertStatus NEW = new AlertStatus(
            State.INACTIVE,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());

    private static final int MAX_ERROR = 500;

    /** The states of an alert. */
    public enum State {
        /** The condition does not hold. */
        INACTIVE,
        /** It holds, not long enough yet. */
        PENDING,
        /** It holds long enough: notifications are due. */
        FIRING,
        /** It does not hold any more, and the notification of that is due. */
        RESOLVED
    }

    public AlertStatus {
        requireNonNull(state, "state is null");
        requireNonNull(since, "since is null");
        requireNonNull(evaluated, "evaluated is null");
        requireNonNull(value, "value is null");
        requireNonNull(startsAt, "startsAt is null");
        samples = List.copyOf(samples);
        error = error.map(text -> text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR));
        boolean notifies = state == State.FIRING || state == State.RESOLVED;
        if (notifies && (startsAt.isEmpty() || since.isEmpty())) {
            throw new IllegalArgumentException("An alert that is %s has begun at some time".formatted(state));
        }
    }

    /** The same after an evaluation that failed. */
    public AlertStatus failed(String why) {
        return new AlertStatus(state, since, evaluated, value, startsAt, samples, Optional.of(why));
    }

    /** The same after Alertmanager has taken the notification of the end. */
    public AlertStatus delivered() {
        return state == State.RESOLVED
                ? new AlertStatus(State.INACTIVE, since, evaluated, value, Optional.empty(), List.of(), error)
                : this;
    }
}
