package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.search.PythonAgent.Call;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools for agents: what the official Python client gets, and what those get who send garbage. */
class McpIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final int ROWS = 200;
    private static final int LONG = 5_000;

    @TempDir
    private static Path home;

    private static SearchFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        fixture.createTable("acme", ColumnDefinition.text("message"), ColumnDefinition.keyword("level"));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(Map.of(
                    "ts",
                    START.plusSeconds(i).toString(),
                    "level",
                    i % 10 == 0 ? "ERROR" : "INFO",
                    "number",
                    Integer.toString(i),
                    "message",
                    i % 10 == 0 ? "connection reset by peer " + i : "request done in " + i + " ms"));
        }
        rows.add(Map.of("ts", START.minusSeconds(60).toString(), "message", "stack " + "é".repeat(LONG)));
        fixture.ship("acme", rows);
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    private static Call call(String tool, Object... arguments) {
        Map<String, Object> all = new HashMap<>();
        if (!tool.equals("list_streams")) {
            all.put("tenant", "acme");
        }
        for (int i = 0; i < arguments.length; i += 2) {
            all.put((String) arguments[i], arguments[i + 1]);
        }
        return new Call(tool, all);
    }

    /** The text of a result that is no error. */
    private static String text(JsonNode result) {
        assertThat(result.path("error").booleanValue()).as(result.toString()).isFalse();
        return result.path("text").textValue();
    }

    private static String error(JsonNode result) {
        assertThat(result.path("error").booleanValue()).as(result.toString()).isTrue();
        return result.path("text").textValue();
    }

    @Tag("slow")
    @Test
    void theOfficialClientCallsEachTool() throws Exception {
        PythonAgent agent = new PythonAgent();
        JsonNode session = agent.session(
                fixture.uri(),
                List.of(
                        call("list_streams"),
                        call("describe"),
                        call(
                                "search",
                                "query",
                                "\"connection reset\"",
                                "limit",
                                3,
                                "columns",
                                List.of("ts", "message")),
                        call(
                                "histogram",
                                "query",
                                "reset OR done",
                                "from",
                                "2026-01-10T12:00:00Z",
                                "to",
                                "2026-01-10T12:03:20Z",
                                "interval",
                                "1m",
                                "by",
                                "level"),
                        call("top_values", "column", "level"),
                        call("patterns", "query", "\"connection reset\"")));
        assertThat(session.path("server").textValue()).isEqualTo("cordwood");
        assertThat(session.path("version").textValue()).isEqualTo("2025-11-25");
        assertThat(session.path("instructions").textValue()).contains("list_streams");
        assertThat(session.path("tools").findValuesAsText("name"))
                .containsExactly(
                        "list_streams", "describe", "search", "histogram", "top_values", "patterns", "context");
        for (JsonNode tool : session.path("tools")) {
            assertThat(tool.path("annotations").path("readOnlyHint").booleanValue())
                    .isTrue();
            assertThat(tool.path("inputSchema").path("type").textValue()).isEqualTo("object");
            assertThat(tool.path("description").textValue()).isNotBlank();
        }

        JsonNode results = session.path("results");
        assertThat(text(results.get(0))).isEqualTo("acme: logs\n-- 1 tenants (tenant: streams).");
        assertThat(text(results.get(1)))
                .startsWith("acme/logs has rows from 2026-01-10T11:59:00.000000Z to 2026-01-10T12:03:19.000000Z\n")
                .contains("message varchar text\n", "level varchar keyword\n");
        List<String> found = text(results.get(2)).lines().toList();
        assertThat(found).hasSize(4);
        assertThat(found.getFirst())
                .startsWith("{\"ts\":\"2026-01-10T12:03:10.000000Z\",\"message\":\"connection reset by peer 190\"");
        assertThat(found.getLast()).startsWith("-- 3 rows of acme/logs. More may match: ask again with after=");
        assertThat(text(results.get(3))).isEqualTo("""
                2026-01-10T12:00:00Z "INFO"=54 "ERROR"=6
                2026-01-10T12:01:00Z "INFO"=54 "ERROR"=6
                2026-01-10T12:02:00Z "INFO"=54 "ERROR"=6
                2026-01-10T12:03:00Z "INFO"=18 "ERROR"=2
                -- 200 rows of acme/logs in buckets of PT1M; buckets without rows are left out.""");
        assertThat(text(results.get(4))).isEqualTo("""
                180 "INFO"
                20 "ERROR"
                -- count and value; 2 of 2 different values are shown; 1 rows have none.""");
        assertThat(text(results.get(5))).isEqualTo("""
                20 connection reset by peer <num>
                -- count and pattern; 0 of 20 rows of acme/logs are of other patterns, 0 have no text.""");

        String cursor = SearchFixture.parse(found.getFirst()).path("_cursor").textValue();
        String after = found.getLast().replaceFirst(".*after=\"([^\"]+)\".*", "$1");
        JsonNode more = agent.session(
                        fixture.uri(),
                        List.of(
                                call("context", "row", cursor, "before", 1, "after", 1),
                                call("search", "query", "\"connection reset\"", "limit", 1, "after", after)))
                .path("results");
        assertThat(text(more.get(0)).lines()).hasSize(4).element(1).asString().contains("connection reset by peer 190");
        assertThat(text(more.get(1))).contains("connection reset by peer 160");
    }

    @Tag("slow")
    @Test
    void resultsAreBoundedAndErrorsSayWhatToDo() throws Exception {
        JsonNode results = new PythonAgent()
                .session(
                        fixture.uri(),
                        List.of(
                                call("search", "limit", 200, "max_tokens", 1_000),
                                call("search", "query", "stack"),
                                call("search", "query", "stack", "max_value_chars", LONG + 100),
                                call("search", "query", "level:(error"),
                                call("search", "query", "levle:error"),
                                call("search", "limit", "many"),
                                call("search", "colour", "red"),
                                call("search", "stream", "nothing"),
                                call("histogram", "query", "reset"),
                                new Call("search", Map.of()),
                                call("context", "row", "!")))
                .path("results");
        String cut = text(results.get(0));
        assertThat(cut.length()).isLessThan(3 * 1_000);
        assertThat(cut.lines().toList())
                .hasSizeGreaterThan(10)
                .last()
                .asString()
                .contains(
                        "More may match: ask again with after=",
                        "The result was cut at about 1,000 tokens",
                        "raise max_tokens (up to 50,000)");
        assertThat(text(results.get(1))).contains("…[+", "Values longer than 1,000 characters were cut");
        assertThat(text(results.get(2)))
                .contains("é".repeat(LONG))
                .doesNotContain("…[+")
                .endsWith("-- 1 rows of acme/logs. No more rows match.");
        assertThat(error(results.get(3))).startsWith("invalid_query: ").contains("(at character ");
        assertThat(error(results.get(4))).startsWith("invalid_query: ").contains("levle");
        assertThat(error(results.get(5))).isEqualTo("invalid_request: 'limit' must be a whole number from 1 to 1000");
        assertThat(error(results.get(6))).startsWith("invalid_request: There is no field 'colour'; fields are: ");
        assertThat(error(results.get(7))).isEqualTo("not_found: There is no stream 'nothing'; streams are: logs");
        assertThat(error(results.get(8))).startsWith("invalid_request: A histogram needs 'from' and 'to'");
        assertThat(error(results.get(9))).startsWith("invalid_request: 'tenant' is missing");
        assertThat(error(results.get(10))).startsWith("invalid_request: 'row' is no cursor");
    }

    @Tag("slow")
    @Test
    void manyCallsAtOnceGetTheirOwnAnswers() throws Exception {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(call("search", "query", "\"peer " + 10 * i + "\"", "limit", 1));
        }
        JsonNode results = new PythonAgent().session(fixture.uri(), calls).path("results");
        for (int i = 0; i < 20; i++) {
            assertThat(text(results.get(i))).contains("connection reset by peer " + 10 * i + "\"");
        }
    }

    private static HttpResponse<String> post(String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(fixture.uri().resolve("/mcp"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return fixture.http().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void garbageIsRefusedAndHarmsNothing() throws Exception {
        for (String body : List.of("", "null", "[]", "{", "{}", "7", "{\"method\":7,\"id\":{}}", "\u0000")) {
            HttpResponse<String> response = post(body);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(SearchFixture.parse(response.body())
                            .path("error")
                            .path("code")
                            .intValue())
                    .as(body)
                    .isIn(-32700, -32600);
        }
        assertThat(post("[".repeat(50_000)).statusCode()).isEqualTo(400);
        assertThat(post("x".repeat(100_000)).statusCode()).isEqualTo(413);
        for (String params :
                List.of("{\"name\":\"drop\"}", "{}", "null", "[1]", "7", "{\"name\":[],\"arguments\":[]}")) {
            HttpResponse<String> response =
                    post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":%s}".formatted(params));
            assertThat(response.statusCode()).as(params).isEqualTo(200);
            assertThat(SearchFixture.parse(response.body())
                            .path("error")
                            .path("code")
                            .intValue())
                    .as(params)
                    .isEqualTo(-32602);
        }
        assertThat(post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none\"}")
                        .statusCode())
                .isEqualTo(202);
        assertThat(post("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}").body())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
    }

    @Test
    void onlyPostsOfJsonInAKnownVersionAreTaken() throws Exception {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
        assertThat(fixture.get("/mcp").statusCode()).isEqualTo(405);
        assertThat(fixture.get("/mcp").headers().firstValue("Allow")).contains("POST");
        HttpRequest text = HttpRequest.newBuilder(fixture.uri().resolve("/mcp"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(ping))
                .build();
        assertThat(fixture.http().send(text, BodyHandlers.ofString()).statusCode())
                .isEqualTo(415);
        assertThat(post(ping, "MCP-Protocol-Version", "2025-06-18").statusCode())
                .isEqualTo(200);
        HttpResponse<String> later = post(ping, "MCP-Protocol-Version", "2099-01-01");
        assertThat(later.statusCode()).isEqualTo(400);
        assertThat(later.body()).contains("2025-11-25");
    }

    @Test
    void pagesOfOtherSitesAreRefused() throws Exception {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
        String own = fixture.uri().toString();
        assertThat(post(ping, "Origin", own).statusCode()).isEqualTo(200);
        for (String origin : List.of("https://evil.example", "null", "http://localhost:1", own + ".evil.example")) {
            assertThat(post(ping, "Origin", origin).statusCode()).as(origin).isEqualTo(403);
        }
    }
}
