package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loki's HTTP API: the shapes of its answers, and its errors. */
class LokiIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final long START_NANOS = START.getEpochSecond() * 1_000_000_000L;
    private static final int ROWS = 600;

    @TempDir
    private static Path home;

    private static SearchFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        for (String tenant : List.of("acme", "globex")) {
            fixture.createTable(
                    tenant,
                    ColumnDefinition.text("message"),
                    ColumnDefinition.keyword("app"),
                    ColumnDefinition.keyword("level"),
                    ColumnDefinition.of("status", ColumnType.BIGINT),
                    ColumnDefinition.of("took", ColumnType.DOUBLE));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            boolean isError = i % 10 == 0;
            rows.add(Map.of(
                    "ts",
                    START.plusMillis(100L * i).toString(),
                    "app",
                    i % 2 == 0 ? "web" : "db",
                    "level",
                    isError ? "error" : "info",
                    "status",
                    isError ? 500 : 200,
                    "took",
                    i / 10.0,
                    "note",
                    "n" + i % 3,
                    "message",
                    isError ? "connection reset by peer " + i : "request done path=/a/" + i % 4 + " took=" + i + "ms"));
        }
        fixture.ship("acme", rows);
        fixture.ship("globex", List.of(Map.of("message", "a secret of globex")));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    private static HttpResponse<String> get(String path, String... parameters) throws Exception {
        return fixture.http()
                .send(
                        HttpRequest.newBuilder(uri(path, parameters))
                                .header("X-Scope-OrgID", "acme")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path, String... parameters) {
        return fixture.uri().resolve("/loki/api/v1/" + path + "?" + form(parameters));
    }

    private static String form(String... parameters) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < parameters.length; i += 2) {
            pairs.add(parameters[i] + "=" + URLEncoder.encode(parameters[i + 1], UTF_8));
        }
        return String.join("&", pairs);
    }

    /** The field {@code data} of an answer about the minute of the rows. */
    private static JsonNode data(String path, String... parameters) throws Exception {
        List<String> all = new ArrayList<>(List.of(parameters));
        all.addAll(List.of("start", Long.toString(START_NANOS), "end", Long.toString(START_NANOS + 60_000_000_000L)));
        HttpResponse<String> response = get(path, all.toArray(String[]::new));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode body = SearchFixture.parse(response.body());
        assertThat(body.path("status").asText()).isEqualTo("success");
        return body.path("data");
    }

    @Test
    void linesOfASelectorWithFilters() throws Exception {
        JsonNode data = data("query_range", "query", "{app=\"web\"} |= \"reset\" != \"peer 10\"", "limit", "3");
        assertThat(data.path("resultType").asText()).isEqualTo("streams");
        List<String> lines = new ArrayList<>();
        data.path("result").forEach(stream -> {
            assertThat(stream.path("stream").path("app").asText()).isEqualTo("web");
            assertThat(stream.path("stream").path("stream").asText()).isEqualTo("logs");
            assertThat(stream.path("stream").path("status").asText()).isEqualTo("500");
            stream.path("values").forEach(value -> lines.add(value.get(1).asText()));
        });
        assertThat(lines)
                .containsExactly(
                        "connection reset by peer 590", "connection reset by peer 580", "connection reset by peer 570");
        assertThat(data.path("result").get(0).path("values").get(0).get(0).asText())
                .isEqualTo(Long.toString(START_NANOS + 59_000_000_000L));
        assertThat(data.path("stats")
                        .path("summary")
                        .path("totalEntriesReturned")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void labelsAndTheirValues() throws Exception {
        assertThat(data("labels").toString()).isEqualTo("[\"app\",\"level\",\"stream\"]");
        assertThat(data("label/app/values").toString()).isEqualTo("[\"db\",\"web\"]");
        assertThat(data("label/level/values", "query", "{app=\"db\"}").toString())
                .isEqualTo("[\"info\"]");
        assertThat(data("label/stream/values").toString()).isEqualTo("[\"logs\"]");
    }

    @Test
    void theVersionOfTheApi() throws Exception {
        HttpResponse<String> response = get("status/buildinfo");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(SearchFixture.parse(response.body()).path("version").asText())
                .startsWith("3.");
    }

    @Test
    void errorsArePlainText() throws Exception {
        assertError(get("query_range", "query", "{app="), 400, "parse error at line 1, col 6");
        assertError(get("query_range"), 400, "'query'");
        assertError(get("nosuch"), 404, "not found");
        assertError(get("query_range", "query", "{stream=\"logs\"}", "limit", "0"), 400, "'limit'");
        HttpResponse<String> withoutTenant = fixture.http()
                .send(HttpRequest.newBuilder(uri("labels")).build(), HttpResponse.BodyHandlers.ofString());
        assertError(withoutTenant, 401, "no org id");
    }

    private static void assertError(HttpResponse<String> response, int status, String message) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(response.body()).contains(message);
    }
}
