package io.cordwood.search.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.catalog.alert.Comparison;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** States follow one another as Prometheus's do, and their times are those of evaluations. */
class AlertStatesTest {
    private static final Instant START = Instant.ofEpochSecond(1_800_000_000);
    private static final List<String> SAMPLES = List.of("{\"message\":\"a\"}");

    static AlertRule rule(String tenant, String name, Duration every, Duration holdFor) {
        return new AlertRule(
                tenant,
                "logs",
                name,
                "level:error",
                Duration.ofMinutes(5),
                every,
                holdFor,
                Comparison.ABOVE,
                10,
                Map.of("team", "web"),
                Map.of("summary", "many errors"),
                3);
    }

    private static AlertRule rule(Duration holdFor) {
        return rule("acme", "errors", Duration.ofMinutes(1), holdFor);
    }

    private static Instant at(int minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    /** The status after evaluations, one a minute, that find these numbers of rows. */
    private static AlertStatus after(AlertRule rule, long... values) {
        AlertStatus status = AlertStatus.NEW;
        for (int i = 0; i < values.length; i++) {
            status = AlertStates.next(rule, status, at(i), values[i], SAMPLES);
        }
        return status;
    }

    @Test
    void withoutATimeItFiresAtOnceAndStaysUntilTheConditionEnds() {
        AlertRule rule = rule(Duration.ZERO);
        assertThat(after(rule, 10).state()).isEqualTo(State.INACTIVE);
        AlertStatus firing = after(rule, 10, 11, 12);
        assertThat(firing.state()).isEqualTo(State.FIRING);
        assertThat(firing.startsAt()).contains(at(1));
        assertThat(firing.since()).contains(at(1));
        assertThat(firing.evaluated()).contains(at(2));
        assertThat(firing.value()).hasValue(12);
        assertThat(firing.samples()).isEqualTo(SAMPLES);
        AlertStatus resolved = after(rule, 10, 11, 12, 3, 2);
        assertThat(resolved.state()).isEqualTo(State.RESOLVED);
        assertThat(resolved.startsAt()).as("Alertmanager knows it by that").contains(at(1));
        assertThat(resolved.since()).as("its end").contains(at(3));
        assertThat(resolved.delivered().state()).isEqualTo(State.INACTIVE);
        assertThat(resolved.delivered().startsAt()).isEmpty();
    }

    @Test
    void itIsPendingUntilTheConditionHasHeldLongEnough() {
        AlertRule rule = rule(Duration.ofMinutes(2));
        AlertStatus pending = after(rule, 11, 11);
        assertThat(pending.state()).isEqualTo(State.PENDING);
        assertThat(pending.since()).contains(at(0));
        assertThat(pending.startsAt()).isEmpty();
        AlertStatus firing = after(rule, 11, 11, 11);
        assertThat(firing.state()).isEqualTo(State.FIRING);
        assertThat(firing.startsAt()).contains(at(2));
        assertThat(after(rule, 11, 11, 0).state()).isEqualTo(State.INACTIVE);
        assertThat(after(rule, 11, 0, 11, 11).state()).as("it begins anew").isEqualTo(State.PENDING);
    }

    @Test
    void anEndThatWasNotDeliveredGivesWayToANewAlert() {
        AlertStatus again = after(rule(Duration.ZERO), 11, 0, 11);
        assertThat(again.state()).isEqualTo(State.FIRING);
        assertThat(again.startsAt()).contains(at(2));
    }

    @Test
    void aFailureChangesNothingButTheError() {
        AlertStatus firing = after(rule(Duration.ZERO), 11);
        AlertStatus failed = firing.failed("Kafka is down");
        assertThat(failed.state()).isEqualTo(State.FIRING);
        assertThat(failed.startsAt()).isEqualTo(firing.startsAt());
        assertThat(failed.evaluated()).isEqualTo(firing.evaluated());
        assertThat(failed.error()).contains("Kafka is down");
        assertThat(AlertStates.next(rule(Duration.ZERO), failed, at(1), 11, SAMPLES)
                        .error())
                .isEmpty();
    }

    @Test
    void evaluationsAreMultiplesOfTheIntervalAndFewAreMadeUpFor() {
        AlertRule rule = rule(Duration.ZERO);
        Instant now = at(100).plusSeconds(42);
        assertThat(EvaluationTimes.next(rule, Optional.empty(), now)).isEqualTo(new EvaluationTimes.Next(at(100), 0));
        assertThat(EvaluationTimes.next(rule, Optional.of(at(100)), now).at()).isEqualTo(at(101));
        assertThat(EvaluationTimes.next(rule, Optional.of(at(98)), now)).isEqualTo(new EvaluationTimes.Next(at(99), 0));
        assertThat(EvaluationTimes.next(rule, Optional.of(at(98).plusSeconds(13)), now)
                        .at())
                .as("after a change of the interval")
                .isEqualTo(at(99));
        assertThat(EvaluationTimes.next(rule, Optional.of(at(0)), now)).isEqualTo(new EvaluationTimes.Next(at(91), 90));
        assertThat(EvaluationTimes.after(rule.every(), now)).isEqualTo(at(101));
    }

    @Test
    void aClockThatJumpedForwardDoesNotSilenceARule() {
        AlertRule rule = rule(Duration.ZERO);
        Instant now = at(100).plusSeconds(42);
        Optional<Instant> future = Optional.of(at(100_000));
        assertThat(EvaluationTimes.next(rule, future, now)).isEqualTo(new EvaluationTimes.Next(at(100), 0));
        assertThat(EvaluationTimes.newest(rule, future, now)).isEqualTo(new EvaluationTimes.Next(at(100), 0));
        assertThat(EvaluationTimes.next(rule, Optional.of(at(101)), now).at())
                .as("another service's clock is a little ahead")
                .isEqualTo(at(102));
        AlertStatus firing = AlertStates.next(rule, AlertStatus.NEW, at(100_000), 11, SAMPLES);
        AlertStatus still = AlertStates.next(rule, firing, at(100), 11, SAMPLES);
        assertThat(still.state()).isEqualTo(State.FIRING);
        assertThat(still.startsAt()).contains(at(100));
        AlertStatus resolved = AlertStates.next(rule, firing, at(100), 0, SAMPLES);
        assertThat(resolved.state()).isEqualTo(State.RESOLVED);
        assertThat(resolved.startsAt()).as("not after its end").contains(at(100));
    }

    @Test
    void aPendingAlertOfTheFutureFiresInItsTime() {
        AlertRule rule = rule(Duration.ofMinutes(2));
        AlertStatus status = AlertStates.next(rule, AlertStatus.NEW, at(100_000), 11, SAMPLES);
        status = AlertStates.next(rule, status, at(0), 11, SAMPLES);
        assertThat(status.since()).contains(at(0));
        status = AlertStates.next(rule, status, at(2), 11, SAMPLES);
        assertThat(status.state()).isEqualTo(State.FIRING);
    }

    @Test
    void theNewestEvaluationSkipsThoseBeforeIt() {
        AlertRule rule = rule(Duration.ZERO);
        Instant now = at(100).plusSeconds(42);
        assertThat(EvaluationTimes.newest(rule, Optional.of(at(97)), now))
                .isEqualTo(new EvaluationTimes.Next(at(100), 2));
        assertThat(EvaluationTimes.newest(rule, Optional.of(at(0)), now))
                .isEqualTo(new EvaluationTimes.Next(at(100), 99));
        assertThat(EvaluationTimes.newest(rule, Optional.of(at(100)), now))
                .isEqualTo(new EvaluationTimes.Next(at(101), 0));
    }
}
