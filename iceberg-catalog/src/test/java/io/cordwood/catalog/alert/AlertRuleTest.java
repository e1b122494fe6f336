package io.cordwood.catalog.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cordwood.catalog.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A rule that Alertmanager or the registry could not keep is refused with the reason, and JSON keeps all of a rule. */
class AlertRuleTest {
    private static final String RULE = """
            {"tenant":"acme","stream":"logs","name":"errors","query":"level:error","window-seconds":300,
             "comparison":">","threshold":10}""";

    private static AlertRule rule(String json) {
        return AlertParser.rule(Json.parse(json.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void jsonHasDefaults() {
        AlertRule rule = rule(RULE);
        assertThat(rule)
                .isEqualTo(new AlertRule(
                        "acme",
                        "logs",
                        "errors",
                        "level:error",
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(1),
                        Duration.ZERO,
                        Comparison.ABOVE,
                        10,
                        Map.of(),
                        Map.of(),
                        3));
        assertThat(AlertParser.rule(AlertParser.toJson(rule))).isEqualTo(rule);
        assertThat(rule.alertLabels()).isEqualTo(Map.of("alertname", "errors", "tenant", "acme", "stream", "logs"));
    }

    @Test
    void jsonKeepsAnAlert() {
        Alert alert = new Alert(
                rule(RULE.replace("}", ",\"labels\":{\"team\":\"web\"},\"annotations\":{\"runbook\":\"b\"}}")),
                "r",
                new AlertStatus(
                        AlertStatus.State.FIRING,
                        Optional.of(Instant.ofEpochSecond(60)),
                        Optional.of(Instant.ofEpochSecond(120)),
                        OptionalLong.of(11),
                        Optional.of(Instant.ofEpochSecond(60)),
                        List.of("{\"message\":\"\u0000 ä\"}"),
                        Optional.of("late")));
        assertThat(AlertParser.alerts(AlertParser.toJson(List.of(alert)))).containsExactly(alert);
        assertThat(AlertParser.status(AlertParser.toJson(AlertStatus.NEW))).isEqualTo(AlertStatus.NEW);
    }

    @Test
    void comparisonsHold() {
        assertThat(List.of(
                        Comparison.of(">").holds(10, 10),
                        Comparison.of(">=").holds(10, 10),
                        Comparison.of("<").holds(10, 10),
                        Comparison.of("<=").holds(10, 10),
                        Comparison.of("<").holds(0, 1)))
                .containsExactly(false, true, false, true, true);
    }

    @Test
    void badRulesAreRefused() {
        refused(RULE.replace("\"errors\"", "\"no spaces\""), "cannot be the name of a rule");
        refused(RULE.replace("logs", "Logs"), "lower case");
        refused(RULE.replace("300", "0"), "'window' must be whole seconds, 1 to 604800");
        refused(RULE.replace("}", ",\"every-seconds\":0}"), "'every' must be");
        refused(RULE.replace("}", ",\"for-seconds\":-1}"), "'for' must be");
        refused(RULE.replace("\">\"", "\"==\""), "'==' is no comparison; use one of >, >=, <, <=");
        refused(RULE.replace(":10", ":-1"), "The threshold is -1");
        refused(RULE.replace("\">\",\"threshold\":10", "\">=\",\"threshold\":0"), "'>= 0' is the same for every");
        refused(RULE.replace("level:error", "x".repeat(4001)), "more than 4000");
        refused(RULE.replace("}", ",\"labels\":{\"a-b\":\"x\"}}"), "'a-b' cannot be the name");
        refused(RULE.replace("}", ",\"labels\":{\"__a\":\"x\"}}"), "'__a' cannot be the name");
        refused(RULE.replace("}", ",\"labels\":{\"tenant\":\"x\"}}"), "its own label 'tenant'");
        refused(RULE.replace("}", ",\"labels\":{\"team\":\"\"}}"), "'team' must have 1 to 200");
        refused(RULE.replace("}", ",\"annotations\":{\"value\":\"x\"}}"), "its own annotation 'value'");
        refused(RULE.replace("}", ",\"samples\":11}"), "0 to 10 sample rows");
    }

    private static void refused(String json, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> rule(json)).withMessageContaining(why);
    }
}
