package io.cordwood.search.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A message has what Alertmanager and its receivers need. */
class AlertMessagesTest {
    private static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");
    private static final AlertMessages MESSAGES = new AlertMessages(
            Optional.of(URI.create("https://logs.example.org/")), Duration.ofMinutes(4), Duration.ofSeconds(10));

    private static JsonNode message(AlertStatus status, Instant now) throws Exception {
        AlertRule rule = AlertStatesTest.rule("Acme & Co", "errors", Duration.ofMinutes(1), Duration.ZERO);
        JsonNode json = new ObjectMapper()
                .readTree(AlertMessages.body(List.of(MESSAGES.element(new Alert(rule, "r", status), now))));
        assertThat(json).hasSize(1);
        return json.get(0);
    }

    @Test
    void anAlertThatFiresAndItsEnd() throws Exception {
        AlertRule rule = AlertStatesTest.rule("Acme & Co", "errors", Duration.ofMinutes(1), Duration.ZERO);
        AlertStatus firing = AlertStates.next(rule, AlertStatus.NEW, AT, 11, List.of("{\"a\":1}", "{\"a\":2}"));
        Instant now = AT.plusSeconds(90);
        JsonNode json = message(firing, now);
        assertThat(json.path("labels").toString())
                .isEqualTo("{\"alertname\":\"errors\",\"stream\":\"logs\",\"team\":\"web\",\"tenant\":\"Acme & Co\"}");
        assertThat(json.path("annotations").path("summary").asText()).isEqualTo("many errors");
        assertThat(json.path("annotations").path("value").asText()).isEqualTo("11");
        assertThat(json.path("annotations").path("samples").asText()).isEqualTo("{\"a\":1}\n{\"a\":2}");
        assertThat(json.path("startsAt").asText()).isEqualTo("2026-11-20T12:00:00Z");
        assertThat(json.path("endsAt").asText()).isEqualTo("2026-11-20T12:05:30Z");
        assertThat(json.path("generatorURL").asText())
                .isEqualTo(
                        "https://logs.example.org/#tenant=Acme+%26+Co&stream=logs&query=level%3Aerror&from=2026-11-20T11%3A54%3A50Z&to=2026-11-20T11%3A59%3A50Z");
        AlertStatus resolved = AlertStates.next(rule, firing, AT.plusSeconds(60), 0, List.of());
        JsonNode end = message(resolved, now);
        assertThat(end.path("labels")).isEqualTo(json.path("labels"));
        assertThat(end.path("startsAt")).isEqualTo(json.path("startsAt"));
        assertThat(end.path("endsAt").asText()).isEqualTo("2026-11-20T12:01:00Z");
    }

    @Test
    void aStartInTheFutureIsNotAfterTheEnd() throws Exception {
        AlertRule rule = AlertStatesTest.rule("acme", "errors", Duration.ofMinutes(1), Duration.ZERO);
        AlertStatus firing = AlertStates.next(rule, AlertStatus.NEW, AT, 11, List.of());
        JsonNode json = message(firing, AT.minus(Duration.ofDays(1)));
        assertThat(json.path("startsAt")).isEqualTo(json.path("endsAt"));
    }
}
