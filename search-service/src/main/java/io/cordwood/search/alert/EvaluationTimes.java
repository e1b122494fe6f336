package io.cordwood.search.alert;

import io.cordwood.catalog.alert.AlertRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a rule is evaluated: at the multiples of its interval since the epoch, so that every service counts the same
 * windows. Evaluations that were missed are made up for, the oldest first, if they are not too many. A last evaluation
 * that lies in the future was counted by a clock that was wrong, and says nothing. Stateless.
 */
final class EvaluationTimes {
    /** Missed evaluations that are made up for. */
    static final int MAX_MISSED = 10;

    /** By how much the clocks of services may differ, so that no window is evaluated again where another goes on. */
    private static final Duration MAX_SKEW = Duration.ofMinutes(1);

    private EvaluationTimes() {}

    /**
     * The next evaluation of a rule.
     *
     * @param at its time; it may lie in the future
     * @param skipped evaluations before it that are left out, as too many were missed
     */
    record Next(Instant at, long skipped) {}

    /** @param evaluated the last evaluation that succeeded; empty if none has */
    static Next next(AlertRule rule, Optional<Instant> evaluated, Instant now) {
        long every = rule.every().toSeconds();
        long newest = Math.floorDiv(now.getEpochSecond(), every);
        long oldest = newest - MAX_MISSED + 1;
        long next = evaluated
                .filter(at -> !at.isAfter(now.plus(MAX_SKEW)))
                .map(at -> Math.floorDiv(at.getEpochSecond(), every) + 1)
                .orElse(newest);
        return new Next(
                Instant.ofEpochSecond(Math.multiplyExact(Math.max(next, oldest), every)), Math.max(0, oldest - next));
    }

    /** The newest evaluation that is due; those before it are skipped. The parameters are those of {@link #next}. */
    static Next newest(AlertRule rule, Optional<Instant> evaluated, Instant now) {
        Next newest = next(rule, Optional.empty(), now);
        Next next = next(rule, evaluated, now);
        long later = Duration.between(next.at(), newest.at()).dividedBy(rule.every());
        return later <= 0 ? next : new Next(newest.at(), next.skipped() + later);
    }

    /** The first evaluation after a time. */
    static Instant after(Duration every, Instant now) {
        long seconds = every.toSeconds();
        return Instant.ofEpochSecond((Math.floorDiv(now.getEpochSecond(), seconds) + 1) * seconds);
    }
}
