package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.observability.GrafanaSql;
import io.cordwood.standalone.observability.MonitoringQueries;
import io.cordwood.standalone.observability.Scrapes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** A running stack, and what its dashboards and alerts ask of it. For one thread. */
final class Monitored {
    private static final String TENANT = "monitored";
    /** An open stack has no certificates; {@code ServiceAttacksIT} looks for their series. */
    private static final String OF_CLOSED_STACKS = "cordwood_certificate_expiry_timestamp_seconds";

    private final MonitoringQueries queries =
            MonitoringQueries.read(Program.root()).without(OF_CLOSED_STACKS);
    private final ObjectMapper json = new ObjectMapper();
    private final Home home;
    private final Program cordwood;

    Monitored(Home home, Program cordwood) throws IOException {
        this.home = home;
        this.cordwood = cordwood;
    }

    /** Ships rows and asks for them, hot and cold: some metrics begin with the first of what they count. */
    void produceTraffic(Path rows) throws Exception {
        ship(rows);
        // Until a commit declares it, the column is not there to ask for
        Waiting.until(
                "rows are archived",
                () -> ask("SELECT count(*) AS n FROM cordwood.%s.logs WHERE \"$tier\" = 'cold'".formatted(TENANT))
                                .get(0)
                                .path("n")
                                .asInt()
                        > 0);
        // The job may archive what was shipped before it is asked for
        Waiting.until("rows are asked for that are still in Kafka", () -> {
            ship(rows);
            return ask("SELECT count(*) AS n FROM cordwood.%s.logs WHERE match(message, 'row 77') AND \"$tier\" = 'hot'"
                                    .formatted(TENANT))
                            .get(0)
                            .path("n")
                            .asInt()
                    > 0;
        });
        assertThat(cordwood.call("search", "row", "--tenant", TENANT, "--limit", "1"))
                .extracting(Outcome::code)
                .isEqualTo(0);
        sendToGateway();
    }

    private void sendToGateway() throws IOException, InterruptedException {
        URI gateway = URI.create(Endpoints.read(home).gateway() + "/api/v1/ingest/logs?tenant=" + TENANT);
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest row = HttpRequest.newBuilder(gateway)
                    .POST(HttpRequest.BodyPublishers.ofString("{\"message\":\"row of the gateway\"}"))
                    .build();
            assertThat(http.send(row, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /**
     * Every series that an expression names is there, with the labels that it asks for, while these rows are shipped.
     */
    void checkSelectors(Path rows) throws IOException, InterruptedException {
        List<String> targets = Scrapes.targets(home);
        assertThat(targets).hasSize(8);
        AtomicReference<List<String>> missing = new AtomicReference<>(List.of());
        try {
            Waiting.until("no series is missing", () -> {
                // Only a tenant that sends has a rate
                ship(rows);
                missing.set(missing(Scrapes.of(targets)));
                return missing.get().isEmpty();
            });
        } catch (IllegalStateException e) {
            throw new IllegalStateException("%s; missing: %s".formatted(e.getMessage(), missing), e);
        }
        assertThat(queries.prometheus()).hasSizeGreaterThan(200);
    }

    private List<String> missing(Scrapes scrapes) throws IOException {
        List<String> missing = new ArrayList<>(
                scrapes.withoutSeries("cordwood_balancer_tenant_bytes_per_second{tenant=\"" + TENANT + "\"}"));
        for (MonitoringQueries.Query query : queries.prometheus()) {
            scrapes.withoutSeries(query.text()).forEach(selector -> missing.add(query.place() + ": " + selector));
        }
        scrapes.withoutSeries(documented())
                .forEach(selector -> missing.add("docs/operate/observability.md: " + selector));
        return missing;
    }

    /** The names in the first column of the table of metrics. */
    private static String documented() throws IOException {
        return Files.readString(Program.root().resolve("docs/operate/observability.md"))
                .lines()
                .filter(line -> line.startsWith("| `cordwood_"))
                .map(line -> line.split("\\|", -1)[1])
                .collect(Collectors.joining(" "));
    }

    /** Every statement of a panel has rows. */
    void checkSql() throws Exception {
        assertThat(queries.sql()).hasSize(5);
        for (MonitoringQueries.Query query : queries.sql()) {
            String sql = GrafanaSql.expand(
                    query.text(), Map.of("tenant", TENANT, "stream", "logs", "search", "row"), Duration.ofMinutes(30));
            assertThat(ask(sql)).as(query.place()).isNotEmpty();
        }
    }

    /** Prometheus, on the configuration that the stack wrote, has an answer to every expression. */
    void checkByPrometheus(Path rows) throws Exception {
        String configuration = Files.readString(home.prometheus()).replace("_interval: 15s", "_interval: 1s");
        try (Service prometheus = TestServices.prometheus(configuration);
                HttpClient http = HttpClient.newHttpClient()) {
            List<String> empty = new ArrayList<>();
            Waiting.until(
                    "Prometheus has scraped each target twice",
                    () -> answer(http, prometheus, "min(count_over_time(up[1m]))")
                            .toString()
                            .matches(".*\"[2-9]\"\\]\\}\\]"));
            ask("SELECT count(*) AS n FROM cordwood.%s.logs WHERE match(message, 'row 78')".formatted(TENANT));
            // Only a tenant that sends has a rate
            Waiting.until("the balancer knows the tenant", () -> {
                ship(rows);
                return !answer(http, prometheus, "cordwood_balancer_tenant_bytes_per_second")
                        .isEmpty();
            });
            for (MonitoringQueries.Query query : queries.prometheus()) {
                // A list of alerts is empty while none fires
                if (answer(http, prometheus, query.text()).isEmpty()
                        && !query.text().contains("ALERTS{")) {
                    empty.add(query.place() + ": " + query.text());
                }
            }
            assertThat(empty).isEmpty();
            assertThat(answer(http, prometheus, "sum(up)").toString()).contains("\"8\"");
        }
    }

    private JsonNode answer(HttpClient http, Service prometheus, String expression)
            throws IOException, InterruptedException {
        URI uri = URI.create("%s/api/v1/query?query=%s"
                .formatted(prometheus.url(), URLEncoder.encode(expression, StandardCharsets.UTF_8)));
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        JsonNode answer = json.readTree(response.body());
        if (answer.path("errorType").asText().equals("unavailable")) {
            return json.createArrayNode();
        }
        assertThat(answer.path("status").asText())
                .as("%s: %s", expression, response.body())
                .isEqualTo("success");
        return answer.path("data").path("result");
    }

    private void ship(Path rows) throws IOException, InterruptedException {
        assertThat(cordwood.call("produce", "--tenant", TENANT, rows.toString()).err())
                .isEmpty();
    }

    private List<JsonNode> ask(String sql) throws IOException, InterruptedException {
        Outcome outcome = cordwood.call("sql", "--json", sql);
        assertThat(outcome.err()).as(sql).isEmpty();
        List<JsonNode> rows = new ArrayList<>();
        for (String line : outcome.out().lines().toList()) {
            rows.add(json.readTree(line));
        }
        return rows;
    }
}
