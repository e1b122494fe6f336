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
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        // The index has no answer to such an expression
        assertThat(data("label/app/values", "query", "{app=~\"[a-d]+\"}").toString())
                .isEqualTo("[\"db\"]");
    }

    @Test
    void theVersionOfTheApi() throws Exception {
        HttpResponse<String> response = get("status/buildinfo");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(SearchFixture.parse(response.body()).path("version").asText())
                .startsWith("3.");
    }

    @Test
    void labelsBesideEachLine() throws Exception {
        HttpResponse<String> response = fixture.http()
                .send(
                        HttpRequest.newBuilder(uri(
                                        "query_range",
                                        "query",
                                        "{app=\"db\"} | logfmt | took_extracted=\"1ms\"",
                                        "start",
                                        Long.toString(START_NANOS),
                                        "end",
                                        "2026-01-10T12:01:00Z"))
                                .header("X-Scope-OrgID", "acme")
                                .header("X-Loki-Response-Encoding-Flags", "categorize-labels")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        JsonNode data = SearchFixture.parse(response.body()).path("data");
        assertThat(data.path("encodingFlags").toString()).isEqualTo("[\"categorize-labels\"]");
        assertThat(data.path("result").toString())
                .contains("{\"structuredMetadata\":{", "\"parsed\":{")
                .contains("{\"stream\":{\"app\":\"db\",\"level\":\"info\",\"stream\":\"logs\"}");
    }

    /** The series of a result as text: labels and numbers, without times. */
    private static List<String> series(JsonNode data) {
        List<String> series = new ArrayList<>();
        data.path("result").forEach(one -> {
            List<String> numbers = new ArrayList<>();
            one.path("values").forEach(value -> numbers.add(value.get(1).asText()));
            if (one.has("value")) {
                numbers.add(one.path("value").get(1).asText());
            }
            series.add(one.path("metric") + " " + String.join(" ", numbers));
        });
        return series.stream().sorted().toList();
    }

    @Test
    void numbersAtSteps() throws Exception {
        JsonNode data = data("query_range", "query", "sum by (app) (count_over_time({} [20s]))", "step", "20");
        assertThat(data.path("resultType").asText()).isEqualTo("matrix");
        // The first row is at the first step, and a range includes its end
        assertThat(series(data)).containsExactly("{\"app\":\"db\"} 100 100 100", "{\"app\":\"web\"} 1 100 100 99");
        assertThat(data.path("result").get(0).path("values").get(0).get(0).isNumber())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum(count_over_time({app=\"web\"} [%s]))",
                "sum by (level) (count_over_time({app=\"web\"} |= \"reset\" [%s]))",
                "sum by (status) (rate({app=~\"web|db\"} | status >= 200 [%s]))",
                "sum by (app) (count_over_time({level!=\"error\"} != \"took=1\" [%s]))",
                "sum by (stream) (count_over_time({} |~ \"path=/a/1|reset\" [%s]))",
                "sum by (level, detected_level) (count_over_time({} [%s]))",
                "sum by (level) (count_over_time({note=~\"n.*\"} [%s]))",
                "sum by (level) (count_over_time({note!=\"n1\", nosuch=\"\"} [%s]))",
                "sum by (level) (count_over_time({status!~\"5..\"} [%s]))",
                "sum by (level) (count_over_time({} | took < 10 or status = 500 [%s]))"
            })
    void countsOfTheEngineAreThoseOfTheLines(String query) throws Exception {
        for (String range : List.of("7s", "14s")) {
            String counted = query.formatted(range);
            // A stage that changes nothing keeps the engine from counting
            String read = query.formatted("@").replace(" [@]", " | decolorize [%s]".formatted(range));
            List<String> expected = series(data("query_range", "query", read, "step", "7s"));
            assertThat(expected).isNotEmpty();
            assertThat(series(data("query_range", "query", counted, "step", "7s")))
                    .as(counted)
                    .isEqualTo(expected);
            assertThat(series(data("query", "query", counted, "time", "2026-01-10T12:00:31.5Z")))
                    .isEqualTo(series(data("query", "query", read, "time", "2026-01-10T12:00:31.5Z")));
        }
    }

    @Test
    void numbersOfParsedLines() throws Exception {
        assertThat(series(data(
                        "query",
                        "query",
                        "max by (app) (max_over_time({level=\"info\"} | logfmt | unwrap duration(took_extracted)"
                                + " [1m]))",
                        "time",
                        "1768046460")))
                .containsExactly("{\"app\":\"db\"} 0.599", "{\"app\":\"web\"} 0.598");
        assertThat(series(data("query", "query", "sum(sum_over_time({} | unwrap status [1m]))", "time", "1768046460")))
                .containsExactly("{} " + (59 * 500 + 540 * 200));
        JsonNode scalar = data("query", "query", "1 + 1");
        assertThat(scalar.path("resultType").asText()).isEqualTo("scalar");
        assertThat(scalar.path("result").get(1).asText()).isEqualTo("2");
    }

    @Test
    void seriesAndVolumes() throws Exception {
        assertThat(data("series", "match[]", "{app=\"db\"}").toString())
                .isEqualTo("[{\"app\":\"db\",\"level\":\"info\",\"stream\":\"logs\"}]");
        assertThat(data("series", "match[]", "{status=\"500\"}").toString())
                .isEqualTo("[{\"app\":\"web\",\"level\":\"error\",\"stream\":\"logs\"}]");
        HttpResponse<String> posted = fixture.http()
                .send(
                        HttpRequest.newBuilder(uri("series"))
                                .header("X-Scope-OrgID", "acme")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString(form(
                                        "match[]",
                                        "{app=\"web\"}",
                                        "start",
                                        Long.toString(START_NANOS),
                                        "end",
                                        Long.toString(START_NANOS + 60_000_000_000L))))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(SearchFixture.parse(posted.body()).path("data").size()).isEqualTo(2);
        assertThat(series(data("index/volume", "query", "{app=~\".+\"}"))).hasSize(2);
        assertThat(series(data("index/volume_range", "query", "{app=\"web\"}", "step", "30s")))
                .hasSize(1);
    }

    /** An answer that is no array or result, but an object of its own. */
    private static JsonNode object(String path, String query) throws Exception {
        return SearchFixture.parse(get(
                        path,
                        "query",
                        query,
                        "start",
                        Long.toString(START_NANOS),
                        "end",
                        Long.toString(START_NANOS + 60_000_000_000L))
                .body());
    }

    @Test
    void whatThereIs() throws Exception {
        assertThat(object("index/stats", "{app=\"web\"}").path("entries").asInt())
                .isEqualTo(ROWS / 2);
        assertThat(object("detected_labels", "{}").path("detectedLabels").toString())
                .contains("{\"label\":\"app\",\"cardinality\":2}");
        JsonNode fields = object("detected_fields", "{level=\"info\"}").path("fields");
        assertThat(fields.toString())
                .contains("{\"label\":\"status\",\"type\":\"int\",\"cardinality\":1,\"parsers\":null}")
                .contains("\"label\":\"path\",\"type\":\"string\",\"cardinality\":4,\"parsers\":[\"logfmt\"]");
    }

    @Test
    void aTailHasWhatArrives() throws Exception {
        CompletableFuture<String> message = new CompletableFuture<>();
        WebSocket socket = fixture.http()
                .newWebSocketBuilder()
                .header("X-Scope-OrgID", "globex")
                .buildAsync(
                        URI.create(uri("tail", "query", "{app=\"printer\"} |= \"fire\"")
                                .toString()
                                .replaceFirst("http", "ws")),
                        new WebSocket.Listener() {
                            private final StringBuilder text = new StringBuilder();

                            @Override
                            public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                                text.append(data);
                                if (last) {
                                    message.complete(text.toString());
                                }
                                from.request(1);
                                return CompletableFuture.completedStage(null);
                            }
                        })
                .get();
        // Nothing tells when it has begun to follow
        for (int i = 0; !message.isDone(); i++) {
            fixture.ship("globex", List.of(Map.of("app", "printer", "message", "on fire " + i)));
            fixture.ship("globex", List.of(Map.of("app", "printer", "message", "a fax")));
        }
        assertThat(message.get())
                .contains("\"streams\":[{\"stream\":{\"app\":\"printer\",", "on fire")
                .doesNotContain("fax");
        socket.abort();
        assertError(get("tail", "query", "{app=\"web\"}"), 400, "WebSocket");
    }

    @Test
    void boundsAndUnsupportedPartsAreNamed() throws Exception {
        String[] day = {"start", "2026-01-10T00:00:00Z", "end", "2026-01-11T00:00:00Z"};
        assertError(
                get("query_range", "query", "sum(rate({}[1m]))", "step", "1", day[0], day[1], day[2], day[3]),
                400,
                "maximum resolution");
        assertError(get("query", "query", "{app=\"web\"}"), 400, "query_range");
        assertError(get("query", "query", "rate_counter({}[1m])"), 400, "'rate_counter' is not supported");
        assertError(
                get("query", "query", "count_over_time({} | logfmt [1m])", "time", "1768046460"),
                400,
                "maximum of series (500)");
        assertError(
                get("query", "query", "sum(count_over_time({} | json [1m]))", "time", "1768046460"),
                400,
                "JSONParserErr");
        assertError(get("query_range", "query", "{}", "limit", "5001"), 400, "5000");
        assertError(get("series"), 400, "match[]");
        assertThat(data("query_range", "query", "{stream=\"nosuch\"}")
                        .path("result")
                        .size())
                .isZero();
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

    @Test
    void patternsHaveTheirLinesAtEachStep() throws Exception {
        JsonNode data = data("patterns", "query", "{app=\"web\"}", "step", "10s");
        Map<String, Map<Long, Long>> samples = new HashMap<>();
        data.forEach(pattern -> {
            Map<Long, Long> ofSteps = new TreeMap<>();
            pattern.path("samples")
                    .forEach(sample ->
                            ofSteps.put(sample.get(0).asLong(), sample.get(1).asLong()));
            samples.put(pattern.path("pattern").asText(), ofSteps);
        });
        Map<Long, Long> tenEach = new TreeMap<>();
        for (int step = 0; step < 6; step++) {
            tenEach.put(START.getEpochSecond() + 10L * step, 10L);
        }
        assertThat(samples).containsEntry("connection reset by peer <num>", tenEach);
        assertThat(samples.values().stream()
                        .flatMap(ofSteps -> ofSteps.values().stream())
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(ROWS / 2);
    }

    @Test
    void patternsTakeNoStages() throws Exception {
        HttpResponse<String> response = get("patterns", "query", "{app=\"web\"} | logfmt");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("no stages");
    }
}
