package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.table.ColumnDefinition;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API over HTTP: its answers, and what it says to those who ask wrongly. */
class ApiIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");

    @TempDir
    private static Path home;

    private static SearchFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        for (String tenant : List.of("acme", "globex", "initech")) {
            fixture.createTable(tenant, ColumnDefinition.text("message"));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            rows.add(Map.of(
                    "ts",
                    START.plusMillis(100L * i).toString(),
                    "number",
                    Integer.toString(i),
                    "message",
                    i % 10 == 0 ? "connection reset by peer " + i : "request done in " + i + " ms <b>&\u0007"));
        }
        fixture.ship("acme", rows);
        fixture.ship("globex", List.of(Map.of("message", "of another tenant")));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Test
    void arrowHasTheRowsOfTheLines() throws Exception {
        String body = "{\"query\":\"\\\"connection reset\\\"\",\"columns\":[\"message\",\"attributes\"],\"limit\":20}";
        List<JsonNode> lines = SearchFixture.lines(fixture.post("acme", "search", body));
        HttpResponse<byte[]> response = fixture.postForArrow("acme", "search", body);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/vnd.apache.arrow.stream");
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(response.body()), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            assertThat(root.getSchema().getCustomMetadata())
                    .containsExactly(
                            Map.entry("after", lines.getLast().path("after").asText()));
            List<List<String>> rows = new ArrayList<>();
            while (reader.loadNextBatch()) {
                for (int row = 0; row < root.getRowCount(); row++) {
                    rows.add(List.of(
                            root.getVector("message").getObject(row).toString(),
                            root.getVector("_cursor").getObject(row).toString()));
                    assertThat(root.getVector("attributes").getObject(row).toString())
                            .contains("number");
                }
            }
            assertThat(rows)
                    .hasSize(20)
                    .isEqualTo(lines.subList(0, 20).stream()
                            .map(line -> List.of(
                                    line.path("message").asText(),
                                    line.path("_cursor").asText()))
                            .toList());
        }
        // A mistake is told as JSON all the same
        assertThat(new String(
                        fixture.postForArrow("acme", "search", "{\"query\":\"(\"}")
                                .body(),
                        StandardCharsets.UTF_8))
                .startsWith("{\"error\":{\"code\":\"invalid_query\"");
    }

    @Test
    void pagesOfASearch() throws Exception {
        List<String> numbers = new ArrayList<>();
        String after = "";
        int pages = 0;
        do {
            List<JsonNode> lines = SearchFixture.lines(fixture.post(
                    "acme",
                    "search",
                    "{\"query\":\"\\\"connection reset\\\"\",\"limit\":20%s}"
                            .formatted(after.isEmpty() ? "" : ",\"after\":\"" + after + "\"")));
            for (JsonNode row : lines.subList(0, lines.size() - 1)) {
                numbers.add(row.path("attributes").path("number").asText());
                assertThat(row.path("message").asText()).startsWith("connection reset by peer");
                assertThat(row.path("ts").asText()).matches("2026-01-10T12:0.*\\.[0-9]{6}Z");
                assertThat(row.path("_cursor").asText()).isNotEmpty();
                assertThat(row.has("tenant_id")).isFalse();
            }
            JsonNode end = lines.getLast();
            assertThat(end.path("stats").path("elapsed_us").asLong()).isPositive();
            after = end.path("after").asText("");
            pages++;
        } while (!after.isEmpty());
        List<String> expected = new ArrayList<>();
        for (int i = 490; i >= 0; i -= 10) {
            expected.add(Integer.toString(i));
        }
        assertThat(numbers).isEqualTo(expected);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void aHistogramHasAllItsBuckets() throws Exception {
        JsonNode histogram = SearchFixture.lines(fixture.post(
                        "acme",
                        "histogram",
                        "{\"from\":\"2026-01-10T12:00:05Z\",\"to\":\"2026-01-10T12:00:25Z\",\"interval\":\"10s\"}"))
                .getFirst();
        assertThat(histogram.path("interval_ms").asLong()).isEqualTo(10_000);
        assertThat(histogram.path("buckets").toString())
                .isEqualTo("[{\"start\":\"2026-01-10T12:00:00.000000Z\",\"counts\":[{\"value\":null,\"count\":50}]},"
                        + "{\"start\":\"2026-01-10T12:00:10.000000Z\",\"counts\":[{\"value\":null,\"count\":100}]},"
                        + "{\"start\":\"2026-01-10T12:00:20.000000Z\",\"counts\":[{\"value\":null,\"count\":50}]}]");
    }

    @Test
    void values() throws Exception {
        JsonNode values = SearchFixture.lines(
                        fixture.post("acme", "values", "{\"column\":\"message\",\"limit\":3,\"query\":\"reset\"}"))
                .getFirst();
        assertThat(values.path("distinct").asInt()).isEqualTo(50);
        assertThat(values.path("null_count").asInt()).isZero();
        assertThat(values.path("approximate").asBoolean()).isFalse();
        assertThat(values.path("values").size()).isEqualTo(3);
        assertThat(values.path("values").get(0).toString())
                .isEqualTo("{\"value\":\"connection reset by peer 0\",\"count\":1}");
    }

    @Test
    void columns() throws Exception {
        JsonNode columns = SearchFixture.lines(fixture.get("/api/v1/tenants/acme/streams/logs/columns?share=true"))
                .getFirst();
        assertThat(columns.path("columns").findValuesAsText("name"))
                .contains("ts", "tenant_id", "attributes", "message")
                .noneMatch(name -> name.startsWith("$"));
        // No LogBlock, no statistics
        assertThat(columns.path("columns").findValues("share")).isEmpty();
    }

    @Test
    void theRowsAroundARow() throws Exception {
        JsonNode row = SearchFixture.lines(fixture.post("acme", "search", "{\"query\":\"\\\"peer 250\\\"\"}"))
                .getFirst();
        List<JsonNode> lines = SearchFixture.lines(fixture.post(
                "acme",
                "context",
                "{\"row\":\"%s\",\"before\":3,\"after\":2}"
                        .formatted(row.path("_cursor").asText())));
        assertThat(lines.subList(0, lines.size() - 1))
                .extracting(line -> line.path("attributes").path("number").asText())
                .containsExactly("247", "248", "249", "250", "251", "252");
    }

    @Test
    void explainHasTheEqualSql() throws Exception {
        JsonNode explained = SearchFixture.lines(fixture.post("acme", "explain", "{\"query\":\"reset\",\"limit\":5}"))
                .getFirst();
        assertThat(explained.path("sql").asText())
                .startsWith("SELECT ")
                .contains("FROM cordwood.acme.logs", "match(message, ", "LIMIT 5");
        assertThat(explained.path("rows").asInt()).isEqualTo(5);
        assertThat(explained.path("stats").path("hot_rows_selected").asInt()).isGreaterThanOrEqualTo(5);
    }

    @Test
    @Timeout(60)
    void aTailHasWhatArrives() throws Exception {
        HttpResponse<InputStream> tail = fixture.http()
                .send(
                        HttpRequest.newBuilder(fixture.of("initech", "tail?query=printer"))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertThat(tail.statusCode()).isEqualTo(200);
        assertThat(tail.headers().firstValue("content-type")).contains("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(tail.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": following");
            fixture.ship("initech", List.of(Map.of("message", "a fax"), Map.of("message", "printer on fire")));
            String line = lines.readLine();
            while (!line.startsWith("data: ")) {
                line = lines.readLine();
            }
            assertThat(SearchFixture.parse(line.substring("data: ".length()))
                            .path("message")
                            .asText())
                    .isEqualTo("printer on fire");
        }
    }

    @Test
    void tenantsAndStreams() throws Exception {
        JsonNode tenants = SearchFixture.lines(fixture.get("/api/v1/tenants")).getFirst();
        assertThat(tenants.path("user").asText()).isEqualTo("anyone");
        assertThat(fixture.get("/health").body()).isEqualTo("{\"status\":\"up\"}");
        assertThat(fixture.get("/metrics").body()).contains("cordwood_search_request_seconds_bucket");
    }

    @Test
    void errorsSayWhatIsWrongAndWhere() throws Exception {
        assertError(fixture.post("acme", "search", "{\"query\":\"a (b\"}"), 400, "invalid_query", "(");
        assertThat(SearchFixture.parse(fixture.post("acme", "search", "{\"query\":\"a (b\"}")
                                .body())
                        .path("error")
                        .path("position")
                        .asInt())
                .isEqualTo(2);
        assertError(fixture.post("acme", "search", "{\"query\":\"nosuch:1\"}"), 400, "invalid_query", "nosuch");
        assertError(fixture.post("acme", "search", "{\"limit\":0}"), 400, "invalid_request", "'limit'");
        assertError(fixture.post("acme", "search", "{\"order\":\"up\"}"), 400, "invalid_request", "'order' is 'up'");
        assertError(fixture.post("acme", "search", "{\"after\":\"xyz\"}"), 400, "invalid_request", "'after'");
        assertError(fixture.post("acme", "search", "{\"from\":\"yesterday\"}"), 400, "invalid_request", "'from'");
        assertError(fixture.post("acme", "search", "{\"columns\":[\"nosuch\"]}"), 400, "invalid_request", "nosuch");
        assertError(fixture.post("acme", "search", "not json"), 400, "invalid_request", "not JSON");
        assertError(fixture.post("acme", "histogram", "{}"), 400, "invalid_request", "'from'");
        assertError(
                fixture.post("acme", "histogram", "{\"from\":\"1970-01-01\",\"to\":\"now\",\"interval\":\"1ms\"}"),
                400,
                "invalid_request",
                "10,000 buckets");
        assertError(fixture.post("acme", "values", "{}"), 400, "invalid_request", "'column'");
        assertError(
                fixture.post("acme", "values", "{\"column\":\"attributes\"}"), 400, "invalid_request", "attributes");
        assertError(fixture.post("acme", "nosuch", "{}"), 404, "not_found", "search");
        assertError(fixture.post("nobody", "search", "{}"), 404, "not_found", "nobody");
        assertError(fixture.get("/api/v1/tenants/acme/streams/logs/search"), 405, "method_not_allowed", "POST");
        assertError(
                fixture.post("acme", "search", "{\"query\":\"" + "x".repeat(70_000) + "\"}"),
                413,
                "body_refused",
                "larger");
        assertError(fixture.get("/nosuch"), 404, "not_found", "no such path");
        assertError(fixture.get("/api/v1/tenants/acme/streams/logs"), 404, "not_found", "search");
    }

    private static void assertError(HttpResponse<String> response, int status, String code, String message) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode error = SearchFixture.parse(response.body()).path("error");
        assertThat(error.path("code").asText()).isEqualTo(code);
        assertThat(error.path("message").asText()).contains(message);
    }
}
