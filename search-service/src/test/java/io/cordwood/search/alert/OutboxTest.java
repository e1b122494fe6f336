package io.cordwood.search.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An alert that Alertmanager does not take does not keep it from the others, nor does an answer without an end. */
@Timeout(60)
class OutboxTest {
    private static final Instant AT = Instant.ofEpochSecond(1_800_000_000);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The names of the alerts of each request. */
    private final List<List<String>> requests = new CopyOnWriteArrayList<>();

    private final AlertMetrics metrics = new AlertMetrics();
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;
    private HttpClient http;
    private volatile ToIntFunction<List<String>> status = names -> 200;
    private volatile boolean isEndless;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/api/v2/alerts", this::answer);
        server.start();
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        over.countDown();
        http.shutdownNow();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode alert : new ObjectMapper().readTree(exchange.getRequestBody())) {
            names.add(alert.path("labels").path("alertname").asText());
        }
        requests.add(names);
        exchange.sendResponseHeaders(status.applyAsInt(names), isEndless ? 0 : -1);
        if (isEndless) {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        exchange.close();
    }

    private Outbox outbox(URI uri, Duration resend) {
        AlertMessages messages = new AlertMessages(Optional.empty(), MINUTE, Duration.ZERO);
        return new Outbox(uri, http, messages, resend, metrics);
    }

    private Outbox outbox() {
        return outbox(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Duration.ofHours(1));
    }

    private static Alert firing(String name) {
        AlertRule rule = AlertStatesTest.rule("acme", name, MINUTE, Duration.ZERO);
        return new Alert(rule, "1", AlertStates.next(rule, AlertStatus.NEW, AT, 11, List.of()));
    }

    private static List<Alert> firing(int number, String last) {
        List<Alert> alerts = new ArrayList<>(
                IntStream.range(0, number).mapToObj(i -> firing("a" + i)).toList());
        alerts.add(number / 2, firing(last));
        return alerts;
    }

    private static void send(Outbox outbox, List<Alert> alerts, Duration time) throws InterruptedException {
        outbox.send(alerts.stream().map(TrackedAlert::new).toList(), time, InstantSource.fixed(AT));
    }

    private static void sendUntil(Outbox outbox, List<Alert> alerts, BooleanSupplier end) throws InterruptedException {
        long begin = System.nanoTime();
        while (!end.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
            send(outbox, alerts, MINUTE);
            Thread.onSpinWait();
        }
    }

    private static long taken(Outbox outbox, List<Alert> alerts) {
        return alerts.stream().filter(outbox::hasTaken).count();
    }

    private String count(String result) {
        return "notifications_total{result=\"%s\"} ".formatted(result);
    }

    @Test
    void anAlertByWhichEveryRequestFailsDoesNotBlockOthers() throws Exception {
        status = names -> names.contains("poison") ? 500 : 200;
        List<Alert> alerts = firing(6, "poison");
        Outbox outbox = outbox();
        sendUntil(outbox, alerts, () -> taken(outbox, alerts) == 6);
        Alert poison = alerts.get(3);
        assertThat(outbox.hasTaken(poison)).isFalse();
        assertThat(outbox.hasRefused(poison)).isFalse();
    }

    @Test
    void aMalformedAlertIsFoundAndNotSentAgainUntilItChanges() throws Exception {
        status = names -> names.contains("bad") ? 400 : 200;
        List<Alert> alerts = firing(4, "bad");
        Outbox outbox = outbox();
        sendUntil(outbox, alerts, () -> taken(outbox, alerts) == 4 && outbox.hasRefused(alerts.get(2)));
        assertThat(requests.getFirst()).hasSize(5);
        assertThat(requests.subList(1, requests.size())).hasSize(5).allMatch(names -> names.size() == 1);
        assertThat(metrics.toPrometheus())
                .contains(count("refused") + 1 + "\n", count("sent") + 4 + "\n", count("failed") + 5 + "\n");
        send(outbox, alerts, MINUTE);
        assertThat(requests).hasSize(6);
        assertThat(outbox.isUpToDate(alerts.get(2))).as("undelivered").isFalse();
        Alert bad = alerts.get(2);
        Alert changed = new Alert(bad.rule(), "2", bad.status());
        send(outbox, List.of(changed), MINUTE);
        assertThat(requests).hasSize(7);
    }

    @Test
    void thoseThatWereNeverSentComeFirst() throws Exception {
        Outbox outbox =
                outbox(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Duration.ZERO);
        List<Alert> alerts = firing(70, "last");
        send(outbox, alerts, MINUTE);
        assertThat(requests.getFirst()).hasSize(64);
        send(outbox, alerts, MINUTE);
        assertThat(requests.getLast())
                .startsWith(alerts.subList(64, 71).stream()
                        .map(alert -> alert.rule().name())
                        .toArray(String[]::new));
    }

    @Test
    void aRequestIsBoundedInBytes() throws Exception {
        List<Alert> alerts = IntStream.range(0, 3)
                .mapToObj(i -> firing("a" + i))
                .map(alert -> new Alert(alert.rule(), "1", withSample(alert.status(), "ö".repeat(150_000))))
                .toList();
        send(outbox(), alerts, MINUTE);
        assertThat(requests.getFirst()).hasSize(1);
    }

    private static AlertStatus withSample(AlertStatus status, String sample) {
        return new AlertStatus(
                status.state(),
                status.since(),
                status.evaluated(),
                status.value(),
                status.startsAt(),
                List.of(sample),
                status.error());
    }

    @Test
    void anAnswerWithoutAnEndIsAFailure() throws Exception {
        isEndless = true;
        Outbox outbox = outbox();
        List<Alert> alerts = List.of(firing("a"));
        send(outbox, alerts, Duration.ofMillis(600));
        assertThat(requests).hasSize(1);
        assertThat(taken(outbox, alerts)).isZero();
        assertThat(metrics.toPrometheus()).contains(count("failed") + 1 + "\n");
    }

    @Test
    void anAddressWithoutAHostIsAFailureThatPauses() throws Exception {
        Outbox outbox = outbox(URI.create("http://alert_manager:9093"), MINUTE);
        List<Alert> alerts = List.of(firing("a"));
        send(outbox, alerts, MINUTE);
        send(outbox, alerts, MINUTE);
        assertThat(metrics.toPrometheus()).contains(count("failed") + 1 + "\n");
    }

    @Test
    void anAlertThatFiresAndIsNotTakenAgainIsNotUpToDate() throws Exception {
        Alert alert = firing("a");
        Outbox late =
                outbox(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Duration.ZERO);
        send(late, List.of(alert), MINUTE);
        assertThat(late.hasTaken(alert)).isTrue();
        assertThat(late.isUpToDate(alert)).isFalse();
        Outbox outbox = outbox();
        assertThat(outbox.isUpToDate(alert)).isFalse();
        send(outbox, List.of(alert), MINUTE);
        assertThat(outbox.isUpToDate(alert)).isTrue();
    }
}
