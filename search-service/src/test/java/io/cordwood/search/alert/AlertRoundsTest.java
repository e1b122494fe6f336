package io.cordwood.search.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.search.http.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A leader evaluates what is due, tracks only what it has stored, and stores nothing once another was admitted. */
class AlertRoundsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A registry in memory that fences as the catalog service does. */
    private static final class Registry implements AlertRegistry {
        private final Map<String, Alert> alerts = new TreeMap<>();
        private long greatest;
        private boolean unavailable;
        private boolean storeFails;
        private int stores;

        @Override
        public List<Alert> alerts() {
            if (unavailable) {
                throw new IllegalStateException("the catalog does not answer");
            }
            return List.copyOf(alerts.values());
        }

        @Override
        public long admit(long fence) {
            if (unavailable) {
                throw new IllegalStateException("the catalog does not answer");
            }
            boolean isGreater = fence > greatest;
            greatest = Math.max(greatest, fence);
            return isGreater ? fence : Math.max(greatest, fence + 1);
        }

        @Override
        public boolean store(Alert alert, long fence) {
            stores++;
            if (storeFails) {
                throw new IllegalStateException("the catalog does not answer");
            }
            if (fence < greatest) {
                throw new FencedException("fenced", new IllegalStateException());
            }
            Alert present = alerts.get(alert.rule().name());
            if (present == null || !present.revision().equals(alert.revision())) {
                return false;
            }
            alerts.put(alert.rule().name(), alert);
            return true;
        }

        void put(String name, String revision) {
            alerts.put(
                    name,
                    new Alert(AlertStatesTest.rule("acme", name, MINUTE, Duration.ZERO), revision, AlertStatus.NEW));
        }

        AlertStatus status(String name) {
            return alerts.get(name).status();
        }
    }

    /** A service that leads as long as the test says so. */
    private static final class Leader implements Leadership {
        private long fence;
        private long gaveUpTo;

        @Override
        public Duration remaining() {
            return fence == 0 ? Duration.ZERO : MINUTE;
        }

        @Override
        public long fence() {
            return fence;
        }

        @Override
        public void giveUp(long greatest) {
            gaveUpTo = greatest;
            fence = 0;
        }
    }

    private final Registry registry = new Registry();
    private final List<Instant> evaluations = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1_800_000_000);
    private long value = 11;
    private final AlertMetrics metrics = new AlertMetrics();
    private boolean fails;
    private int failureStatus = 503;
    private Duration reload = Duration.ZERO;

    private AlertRounds rounds(Leader leader) {
        return new AlertRounds(
                registry,
                (rule, before, at) -> {
                    evaluations.add(at);
                    if (fails) {
                        throw new ApiException(failureStatus, "unavailable", "Kafka does not answer");
                    }
                    return AlertStates.next(rule, before, at, value, List.of());
                },
                leader,
                List.of(),
                metrics,
                Runnable::run,
                reload,
                () -> now);
    }

    private static Leader leader(long fence) {
        Leader leader = new Leader();
        leader.fence = fence;
        return leader;
    }

    @Test
    void onlyALeaderEvaluates() {
        registry.put("a", "1");
        Leader leader = leader(0);
        AlertRounds rounds = rounds(leader);
        rounds.round();
        assertThat(evaluations).isEmpty();
        assertThat(rounds.sendingTime()).isZero();
        leader.fence = 3;
        rounds.round();
        rounds.round();
        assertThat(evaluations).containsExactly(now);
        assertThat(registry.status("a").state()).isEqualTo(State.FIRING);
        assertThat(rounds.tracked()).hasSize(1);
        assertThat(rounds.sendingTime()).isEqualTo(MINUTE);
        leader.fence = 0;
        rounds.round();
        assertThat(rounds.tracked()).as("nothing to send").isEmpty();
    }

    @Test
    void theNextLeaderGoesOnWhereTheFormerEnded() {
        registry.put("a", "1");
        rounds(leader(1)).round();
        AlertStatus firing = registry.status("a");
        now = now.plus(MINUTE.multipliedBy(3));
        AlertRounds next = rounds(leader(2));
        next.round();
        next.round();
        next.round();
        next.round();
        assertThat(evaluations)
                .as("those that were missed are made up for")
                .containsExactly(
                        now.minus(MINUTE.multipliedBy(3)), now.minus(MINUTE.multipliedBy(2)), now.minus(MINUTE), now);
        assertThat(registry.status("a").startsAt()).isEqualTo(firing.startsAt());
    }

    @Test
    void aFormerLeaderTracksNothingThatIsNotStored() {
        registry.put("a", "1");
        Leader former = leader(1);
        AlertRounds rounds = rounds(former);
        rounds.round();
        AlertStatus firing = registry.status("a");
        registry.admit(2);
        now = now.plus(MINUTE);
        value = 0;
        rounds.round();
        assertThat(registry.status("a")).as("fenced").isEqualTo(firing);
        assertThat(rounds.tracked())
                .extracting(alert -> alert.stored().status().state())
                .doesNotContain(State.RESOLVED);
        assertThat(rounds.sendingTime()).isZero();
        rounds.round();
        assertThat(former.gaveUpTo).as("it learns of the other").isEqualTo(2);
    }

    @Test
    void aFailureKeepsTheStateAndIsRetriedAtTheNextEvaluation() {
        registry.put("a", "1");
        AlertRounds rounds = rounds(leader(1));
        rounds.round();
        fails = true;
        value = 0;
        now = now.plus(MINUTE);
        rounds.round();
        rounds.round();
        assertThat(evaluations).as("not at once again").hasSize(2);
        assertThat(registry.status("a").state()).isEqualTo(State.FIRING);
        assertThat(registry.status("a").error()).contains("Kafka does not answer");
        fails = false;
        now = now.plus(MINUTE);
        rounds.round();
        assertThat(evaluations.getLast()).as("the one that failed").isEqualTo(now.minus(MINUTE));
        assertThat(registry.status("a").error()).isEmpty();
        assertThat(registry.status("a").state()).isEqualTo(State.RESOLVED);
    }

    @Test
    void aRuleThatChangesIsReadAgain() {
        registry.put("a", "1");
        AlertRounds rounds = rounds(leader(1));
        rounds.round();
        registry.put("a", "2");
        registry.put("b", "1");
        rounds.round();
        assertThat(rounds.tracked())
                .extracting(alert -> alert.stored().revision())
                .containsExactlyInAnyOrder("2", "1");
        registry.alerts.remove("a");
        now = now.plusSeconds(1);
        rounds.round();
        assertThat(rounds.tracked())
                .extracting(alert -> alert.stored().rule().name())
                .containsExactly("b");
    }

    @Test
    void aStoreThatFailsIsAFailureAndPauses() {
        reload = MINUTE;
        registry.put("a", "1");
        AlertRounds rounds = rounds(leader(1));
        value = 0;
        rounds.round();
        now = now.plus(Duration.ofSeconds(60));
        rounds.round();
        assertThat(registry.stores).isEqualTo(2);
        now = now.plus(Duration.ofSeconds(59));
        rounds.round();
        now = now.plusSeconds(1);
        registry.unavailable = true;
        assertThatThrownBy(rounds::round).as("it reads the rules").isInstanceOf(IllegalStateException.class);
        registry.unavailable = false;
        registry.storeFails = true;
        rounds.round();
        rounds.round();
        assertThat(registry.stores).as("not at once again").isEqualTo(3);
        assertThat(metrics.toPrometheus()).contains("result=\"ok\"} 2\n", "result=\"failed\"} 1\n");
        registry.storeFails = false;
        now = now.plusSeconds(5);
        rounds.round();
        assertThat(registry.stores).isEqualTo(4);
        assertThat(metrics.toPrometheus()).contains("result=\"ok\"} 3\n", "result=\"failed\"} 1\n");
    }

    @Test
    void metricsAreMeasuredWhileTheCatalogDoesNotAnswer() {
        Leader leader = leader(1);
        AlertRounds rounds = rounds(leader);
        rounds.round();
        assertThat(metrics.toPrometheus()).contains("alert_leader 1\n");
        leader.fence = 2;
        registry.unavailable = true;
        assertThatThrownBy(rounds::round).isInstanceOf(IllegalStateException.class);
        assertThat(metrics.toPrometheus()).contains("alert_leader 0\n", "alert_rules_age_seconds 0\n");
    }

    @Test
    void aQuestionThatIsWrongIsAskedOfTheNewestWindowNext() {
        registry.put("a", "1");
        AlertRounds rounds = rounds(leader(1));
        rounds.round();
        fails = true;
        failureStatus = 422;
        now = now.plus(MINUTE);
        rounds.round();
        now = now.plus(MINUTE.multipliedBy(3));
        fails = false;
        rounds.round();
        assertThat(evaluations.getLast()).isEqualTo(now);
        assertThat(metrics.toPrometheus()).contains("result=\"skipped\"} 3\n");
        fails = true;
        failureStatus = 429;
        now = now.plus(MINUTE);
        rounds.round();
        now = now.plus(MINUTE);
        fails = false;
        rounds.round();
        assertThat(evaluations.getLast()).as("the same again").isEqualTo(now.minus(MINUTE));
    }

    @Test
    void aClockThatJumpedForwardAndBackSilencesNothing() {
        registry.put("a", "1");
        reload = MINUTE;
        AlertRounds rounds = rounds(leader(1));
        Instant right = now;
        now = right.plus(Duration.ofDays(1));
        rounds.round();
        fails = true;
        now = now.plus(MINUTE);
        rounds.round();
        fails = false;
        now = right;
        registry.put("b", "1");
        rounds.round();
        rounds.round();
        assertThat(rounds.tracked()).as("rules are read").hasSize(2);
        assertThat(registry.status("a").evaluated()).contains(right);
    }
}
