package io.cordwood.search.alert;

import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.catalog.json.Json;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of evaluations and notifications, in the text format of Prometheus. Thread-safe. */
public final class AlertMetrics {
    private final LongAdder evaluated = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Map<State, Long> alerts = Map.of();
    private volatile long waiting;
    private volatile boolean leads;
    private volatile long readNanos = System.nanoTime();

    void evaluated() {
        evaluated.increment();
    }

    void failed() {
        failed.increment();
    }

    void skipped(long evaluations) {
        skipped.add(evaluations);
    }

    /** Records alerts that an Alertmanager has taken. */
    void sent(int number) {
        sent.add(number);
    }

    /** Records a request that an Alertmanager did not answer, or answered with a failure. */
    void unsent(int number) {
        unsent.add(number);
    }

    /** Records an alert that an Alertmanager found malformed. */
    void refused() {
        refused.increment();
    }

    /** Records that this service, which leads, has read the rules, or begins to lead. */
    void rulesRead() {
        readNanos = System.nanoTime();
    }

    /** Records what this service knows: nothing, unless it leads. */
    void state(boolean isLeader, Map<State, Long> byState, long undelivered) {
        leads = isLeader;
        alerts = new EnumMap<>(byState);
        waiting = undelivered;
    }

    /** All series. */
    public String toPrometheus() {
        StringBuilder text = new StringBuilder("""
            # HELP cordwood_search_alert_leader Whether this service evaluates the alert rules
            # TYPE cordwood_search_alert_leader gauge
            cordwood_search_alert_leader %d
            # HELP cordwood_search_alert_rules_age_seconds Time since it last read the rules; 0 where it does not lead
            # TYPE cordwood_search_alert_rules_age_seconds gauge
            cordwood_search_alert_rules_age_seconds %d
            # HELP cordwood_search_alert_rules Alert rules that it evaluates, by the state of the alert
            # TYPE cordwood_search_alert_rules gauge
            """.formatted(
                        leads ? 1 : 0,
                        leads ? Duration.ofNanos(System.nanoTime() - readNanos).toSeconds() : 0));
        Map<State, Long> now = alerts;
        for (State state : State.values()) {
            text.append("cordwood_search_alert_rules{state=\"%s\"} %d\n"
                    .formatted(Json.lowerCase(state), now.getOrDefault(state, 0L)));
        }
        return text.append("""
            # HELP cordwood_search_alert_evaluations_total Evaluations of alert rules, by result
            # TYPE cordwood_search_alert_evaluations_total counter
            cordwood_search_alert_evaluations_total{result="ok"} %d
            cordwood_search_alert_evaluations_total{result="failed"} %d
            cordwood_search_alert_evaluations_total{result="skipped"} %d
            # HELP cordwood_search_alert_notifications_total Alerts in requests to Alertmanagers, by result
            # TYPE cordwood_search_alert_notifications_total counter
            cordwood_search_alert_notifications_total{result="sent"} %d
            cordwood_search_alert_notifications_total{result="failed"} %d
            cordwood_search_alert_notifications_total{result="refused"} %d
            # HELP cordwood_search_alert_undelivered Alerts that an Alertmanager has not taken, or not for long
            # TYPE cordwood_search_alert_undelivered gauge
            cordwood_search_alert_undelivered %d
            """.formatted(
                        evaluated.sum(), failed.sum(), skipped.sum(), sent.sum(), unsent.sum(), refused.sum(), waiting))
                .toString();
    }
}
