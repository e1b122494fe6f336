package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.alert.AlertStatus.State;
import io.cordwood.catalog.alert.Comparison;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Alertmanager sends one notification of an alert and one of its end, whatever happens to the search services in
 * between. They are processes, and are killed.
 */
@Timeout(240)
@Tag("slow")
final class AlertsIT {
    @TempDir
    private static Path home;

    private static SearchFixture fixture;
    private static Service redis;
    private static AlertReceiver receiver;
    private static Service alertmanager;
    private static int processes;

    private final List<SearchProcess> running = new ArrayList<>();
    private final List<AlertGate> gates = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        redis = TestServices.redis();
        receiver = new AlertReceiver();
        alertmanager = TestServices.alertmanager(receiver.configuration());
        for (String tenant : List.of("acme", "kills", "down")) {
            fixture.createTable(tenant, ColumnDefinition.keyword("level"), ColumnDefinition.text("message"));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        alertmanager.close();
        receiver.close();
        redis.close();
        fixture.close();
    }

    @AfterEach
    void endProcesses() {
        running.forEach(SearchProcess::close);
        gates.forEach(AlertGate::close);
    }

    private AlertGate gate() throws Exception {
        AlertGate gate = new AlertGate(URI.create(alertmanager.url()));
        gates.add(gate);
        return gate;
    }

    private SearchProcess search(URI address) throws Exception {
        processes++;
        SearchProcess process = SearchProcess.start(
                home.resolve("search-%d.log".formatted(processes)),
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "--catalog-uri",
                        fixture.catalogUri().toString(),
                        "--bootstrap-servers",
                        fixture.kafka().address(),
                        "--redis",
                        redis.url(),
                        "--alertmanager",
                        address.toString(),
                        "--alert-delay",
                        "0s",
                        "--alert-lease",
                        "2s",
                        "--alert-resend",
                        "5s",
                        "--page-url",
                        "http://logs.example.org"));
        running.add(process);
        process.awaitAnswer();
        return process;
    }

    private static AlertRule rule(String tenant, String name, String query, Duration window, Comparison comparison) {
        return new AlertRule(
                tenant,
                SearchFixture.STREAM,
                name,
                query,
                window,
                Duration.ofSeconds(1),
                Duration.ZERO,
                comparison,
                3,
                Map.of("team", "web"),
                Map.of("runbook", "http://runbooks.example.org"),
                2);
    }

    /** Fires until three rows with the word are there. */
    private static AlertRule silence(String tenant, String name) {
        return rule(tenant, name, name, Duration.ofHours(1), Comparison.BELOW);
    }

    private static void end(String tenant, String name) throws Exception {
        fixture.ship(tenant, Collections.nCopies(3, row("INFO", name)));
    }

    private static Map<String, Object> row(String level, String message) {
        return Map.of("ts", Instant.now().toString(), "level", level, "message", message);
    }

    private static AlertStatus status(String tenant, String name) {
        return fixture.catalog().alerts(tenant).stream()
                .filter(alert -> alert.rule().name().equals(name))
                .map(Alert::status)
                .findFirst()
                .orElseThrow();
    }

    private static void await(String tenant, String name, State state) throws Exception {
        Waiting.until(
                "%s is %s".formatted(name, state), () -> status(tenant, name).state() == state);
    }

    private static void awaitNotification(String name, String status) throws Exception {
        Waiting.until(
                "%s is %s".formatted(name, status),
                () -> !receiver.of(name, status).isEmpty());
    }

    /** Waits for the end, and two more evaluations, after which there is one notification of each kind. */
    private static void awaitOneOfEach(String tenant, String name) throws Exception {
        awaitNotification(name, "resolved");
        await(tenant, name, State.INACTIVE);
        Instant later = status(tenant, name).evaluated().orElseThrow().plusSeconds(2);
        Waiting.until(
                "two evaluations more",
                () -> !status(tenant, name).evaluated().orElseThrow().isBefore(later));
        assertThat(receiver.of(name, "firing")).hasSize(1);
        assertThat(receiver.of(name, "resolved")).hasSize(1);
    }

    @Test
    void rowsMakeAnAlertAndItEnds() throws Exception {
        fixture.catalog().putAlert(rule("acme", "errors", "level:ERROR", Duration.ofSeconds(6), Comparison.AT_LEAST));
        search(URI.create(alertmanager.url())).awaitLeader();
        await("acme", "errors", State.INACTIVE);
        fixture.ship("acme", List.of(row("ERROR", "one"), row("ERROR", "two"), row("INFO", "not this")));
        fixture.ship("acme", List.of(row("ERROR", "three")));
        awaitNotification("errors", "firing");
        JsonNode alert =
                receiver.of("errors", "firing").getFirst().path("alerts").get(0);
        assertThat(alert.path("labels").toString())
                .isEqualTo("{\"alertname\":\"errors\",\"stream\":\"logs\",\"team\":\"web\",\"tenant\":\"acme\"}");
        assertThat(alert.path("annotations").path("value").asText()).isEqualTo("3");
        assertThat(alert.path("annotations").path("runbook").asText()).isEqualTo("http://runbooks.example.org");
        assertThat(alert.path("annotations").path("samples").asText().lines().toList())
                .hasSize(2)
                .allMatch(line -> line.contains("\"level\":\"ERROR\""))
                .first()
                .asString()
                .contains("\"message\":\"three\"");
        assertThat(alert.path("generatorURL").asText())
                .startsWith("http://logs.example.org/#tenant=acme&stream=logs&query=level%3AERROR&from=");
        awaitOneOfEach("acme", "errors");
    }

    @Test
    void noKillOfTheLeaderLosesOrDoublesANotification() throws Exception {
        AlertGate first = gate();
        AlertGate second = gate();
        SearchProcess leader = search(first.uri());
        leader.awaitLeader();
        SearchProcess other = search(second.uri());

        // Stored, and not sent
        first.set(AlertGate.Mode.HOLD_REQUESTS);
        fixture.catalog().putAlert(silence("kills", "unsent"));
        killWhenHeld(leader, first);
        assertThat(status("kills", "unsent").state()).isEqualTo(State.FIRING);
        assertThat(receiver.of("unsent", "firing")).isEmpty();
        awaitNotification("unsent", "firing");

        // The end sent, and its answer lost
        leader = other;
        leader.awaitLeader();
        other = search(first.uri());
        first.set(AlertGate.Mode.OPEN);
        second.set(AlertGate.Mode.HOLD_ANSWERS);
        end("kills", "unsent");
        await("kills", "unsent", State.RESOLVED);
        awaitNotification("unsent", "resolved");
        killWhenHeld(leader, second);
        assertThat(status("kills", "unsent").state()).isEqualTo(State.RESOLVED);

        // Sent, and its answer lost
        leader = other;
        leader.awaitLeader();
        awaitOneOfEach("kills", "unsent");
        other = search(second.uri());
        second.set(AlertGate.Mode.OPEN);
        first.set(AlertGate.Mode.HOLD_ANSWERS);
        fixture.catalog().putAlert(silence("kills", "unheard"));
        awaitNotification("unheard", "firing");
        killWhenHeld(leader, first);

        // The end stored, and not sent
        leader = other;
        leader.awaitLeader();
        search(first.uri());
        first.set(AlertGate.Mode.OPEN);
        second.set(AlertGate.Mode.HOLD_REQUESTS);
        end("kills", "unheard");
        await("kills", "unheard", State.RESOLVED);
        killWhenHeld(leader, second);
        assertThat(receiver.of("unheard", "resolved")).isEmpty();
        awaitOneOfEach("kills", "unheard");
        assertThat(receiver.of("unsent", "firing")).hasSize(1);
    }

    private static void killWhenHeld(SearchProcess leader, AlertGate gate) throws Exception {
        Waiting.until("a request is held", () -> gate.held() > 0);
        leader.kill();
    }

    @Test
    void whatHappensWhileAlertmanagerIsDownIsSentLater() throws Exception {
        SearchProcess leader = search(URI.create(alertmanager.url()));
        leader.awaitLeader();
        alertmanager.kill();
        fixture.catalog().putAlert(silence("down", "outage"));
        Waiting.until(
                "it is seen",
                () -> leader.metric("cordwood_search_alert_notifications_total{result=\"failed\"}") > 0
                        && leader.metric("cordwood_search_alert_undelivered") > 0);
        assertThat(status("down", "outage").state()).isEqualTo(State.FIRING);
        alertmanager.restart();
        awaitNotification("outage", "firing");
        end("down", "outage");
        awaitOneOfEach("down", "outage");
        assertThat(leader.metric("cordwood_search_alert_undelivered")).isZero();
    }

    @Test
    void aRuleThatCannotBeEvaluatedIsSeen() throws Exception {
        fixture.catalog().putAlert(rule("acme", "typo", "nosuch:error", Duration.ofMinutes(1), Comparison.ABOVE));
        SearchProcess leader = search(URI.create(alertmanager.url()));
        Waiting.until("its error is known", () -> status("acme", "typo").error().isPresent());
        assertThat(status("acme", "typo").error().orElseThrow()).contains("nosuch");
        assertThat(status("acme", "typo").state()).isEqualTo(State.INACTIVE);
        assertThat(leader.metric("cordwood_search_alert_evaluations_total{result=\"failed\"}"))
                .isPositive();
        fixture.catalog().deleteAlert("acme", "typo");
    }
}
