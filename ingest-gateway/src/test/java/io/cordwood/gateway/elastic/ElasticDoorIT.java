package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The door for clients of Elasticsearch. */
class ElasticDoorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LINES = "application/x-ndjson";
    private static final String OF_BEATS = "?filter_path=errors%2Citems.%2A.error%2Citems.%2A.status";

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static HttpResponse<String> bulk(String tenant, String path, String body) throws Exception {
        HttpResponse<String> response = gateway.post(path, tenant, LINES, body);
        assertThat(response.headers().firstValue("X-Elastic-Product")).contains("Elasticsearch");
        return response;
    }

    private static JsonNode ok(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static HttpResponse<String> get(String method, String path) throws Exception {
        return gateway.request(method, path, Map.of(), new byte[0]);
    }

    /** The index decides the stream and the columns that tell of it. */
    @Test
    void indicesAreStreamsOrColumns() throws Exception {
        JsonNode answer = ok(bulk("rules", "/_bulk", """
            {"create":{"_index":"logs"}}
            {"n":1}
            {"index":{"_index":"audit","_id":"a1"}}
            {"n":2}
            {"create":{"_index":"audit-login-prod"}}
            {"n":3}
            {"create":{"_index":"metrics-cpu-default"}}
            {"n":4,"data_stream":{"dataset":"mine"}}
            {"create":{"_index":"app-2026.11.27"}}
            {"n":5}
            """));
        assertThat(answer.get("errors").asBoolean()).isFalse();
        assertThat(gateway.members("rules"))
                .containsExactlyInAnyOrder(
                        Map.of("n", 1L),
                        Map.of(
                                "n",
                                4L,
                                "data_stream.type",
                                "metrics",
                                "data_stream.dataset",
                                "mine",
                                "data_stream.namespace",
                                "default"),
                        Map.of("n", 5L, "index", "app-2026.11.27"));
        assertThat(gateway.rows("rules", "audit"))
                .anySatisfy(row -> assertThat(row).containsEntry("n", 2L).containsEntry("document_id", "a1"))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("n", 3L)
                        .containsEntry("data_stream.type", "audit")
                        .containsEntry("data_stream.dataset", "login")
                        .containsEntry("data_stream.namespace", "prod"))
                .hasSize(2);
    }

    @Test
    void eachItemIsAnswered() throws Exception {
        JsonNode answer = ok(bulk("items", "/audit/_bulk", """
            {"create":{}}
            {"n":1}
            {"index":{"_id":"x"}}
            {"n":}
            {"delete":{"_id":"x"}}
            {"index":{"_id":"y"}}
            {"n":2}
            """));
        assertThat(answer.get("errors").asBoolean()).isTrue();
        assertThat(answer.get("took").isIntegralNumber()).isTrue();
        assertThat(answer.get("items")).hasSize(4);
        JsonNode first = answer.at("/items/0/create");
        assertThat(first.get("_index").asText()).isEqualTo("audit");
        assertThat(first.get("_id").asText()).hasSize(20);
        assertThat(first.get("_version").asInt()).isEqualTo(1);
        assertThat(first.get("result").asText()).isEqualTo("created");
        assertThat(first.get("_shards")).isEqualTo(JSON.readTree("{\"total\":1,\"successful\":1,\"failed\":0}"));
        assertThat(first.get("_seq_no").isInt()).isTrue();
        assertThat(first.get("_primary_term").asInt()).isEqualTo(1);
        assertThat(first.get("status").asInt()).isEqualTo(201);
        JsonNode second = answer.at("/items/1/index");
        assertThat(second.get("_id").asText()).isEqualTo("x");
        assertThat(second.get("status").asInt()).isEqualTo(400);
        assertThat(second.at("/error/type").asText()).isEqualTo("document_parsing_exception");
        assertThat(second.at("/error/reason").asText()).contains("at byte 49 of the request");
        assertThat(second.has("result")).isFalse();
        assertThat(answer.at("/items/2/delete/error/type").asText()).isEqualTo("illegal_argument_exception");
        assertThat(answer.at("/items/3/index/_id").asText()).isEqualTo("y");
        assertThat(gateway.rows("items", "audit")).hasSize(2);
    }

    @Test
    void filterPathKeepsWhatShippersWant() throws Exception {
        String good = "{\"create\":{\"_index\":\"logs\"}}\n{\"n\":1}\n";
        String bad = "{\"create\":{\"_index\":\"logs\"}}\n{\"n\":1\n";
        assertThat(bulk("filter", "/_bulk" + OF_BEATS, good).body())
                .isEqualTo("{\"errors\":false,\"items\":[{\"create\":{\"status\":201}}]}");
        assertThat(bulk("filter", "/_bulk?filter_path=items.*.error", good).body())
                .isEqualTo("{}");
        JsonNode answer = ok(bulk("filter", "/_bulk?filter_path=errors,items.*.error.type", good + bad));
        assertThat(answer)
                .isEqualTo(JSON.readTree("{\"errors\":true,\"items\":"
                        + "[{\"create\":{\"error\":{\"type\":\"document_parsing_exception\"}}}]}"));
    }

    @Test
    void aBodyWhoseFormIsWrongIsRefusedAsAWhole() throws Exception {
        String good = "{\"create\":{\"_index\":\"logs\"}}\n{\"n\":1}\n";
        for (String bad : List.of(
                "",
                "{\"create\":",
                good + "{\"create\":{\"_index\":\"logs\"}}\n",
                good + "nonsense\n{}\n",
                good + "{")) {
            HttpResponse<String> response = bulk("form", "/_bulk", bad);
            assertThat(response.statusCode()).as(bad).isEqualTo(400);
            JsonNode error = JSON.readTree(response.body());
            assertThat(error.get("status").asInt()).isEqualTo(400);
            assertThat(error.at("/error/type").asText()).endsWith("_exception");
            assertThat(error.at("/error/root_cause/0/reason")).isEqualTo(error.at("/error/reason"));
        }
        assertThat(gateway.records("form", "logs")).isEmpty();
    }

    @Test
    void tooMuchAndTooFastAreErrorsOfElasticsearch() throws Exception {
        HttpResponse<String> large = bulk("large", "/_bulk", "x".repeat(9 << 20));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(JSON.readTree(large.body()).get("status").asInt()).isEqualTo(413);
        gateway.limit("slow", Quota.NONE.withBytesPerSecond(OptionalLong.of(1000)));
        String body = "{\"create\":{\"_index\":\"logs\"}}\n{\"m\":\"" + "x".repeat(5000) + "\"}\n";
        ok(bulk("slow", "/_bulk", body));
        HttpResponse<String> refused = bulk("slow", "/_bulk", body);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(JSON.readTree(refused.body()).at("/error/type").asText())
                .isEqualTo("es_rejected_execution_exception");
    }

    @Test
    void oneDocument() throws Exception {
        HttpResponse<String> created =
                gateway.post("/logs-app-prod/_doc?refresh=true", "one", "application/json", "{\n  \"n\": 1\n}\n");
        assertThat(created.statusCode()).isEqualTo(201);
        JsonNode answer = JSON.readTree(created.body());
        assertThat(answer.get("_index").asText()).isEqualTo("logs-app-prod");
        assertThat(answer.get("result").asText()).isEqualTo("created");
        assertThat(gateway.request(
                                "PUT",
                                "/audit/_create/a%2Fb",
                                Map.of("X-Scope-OrgID", "one"),
                                "{\"n\":2}".getBytes(UTF_8))
                        .body())
                .contains("\"_id\":\"a/b\"");
        HttpResponse<String> bad = gateway.post("/logs/_doc/7", "one", "application/json", "{\"n\":");
        assertThat(bad.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(bad.body()).at("/error/type").asText()).isEqualTo("document_parsing_exception");
        assertThat(gateway.members("one"))
                .containsExactly(Map.of(
                        "n",
                        1L,
                        "data_stream.type",
                        "logs",
                        "data_stream.dataset",
                        "app",
                        "data_stream.namespace",
                        "prod"));
        assertThat(gateway.rows("one", "audit"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("document_id", "a/b"));
    }

    /** What shippers ask before they send, and what they read of the answer. */
    @ParameterizedTest
    @CsvSource({
        "GET, /, /tagline, 'You Know, for Search'",
        "GET, /, /version/build_flavor, default",
        "GET, /_license?human=false, /license/status, active",
        "GET, /_xpack, /features/ilm/enabled, true",
        "GET, /_cluster/health, /status, green",
        "GET, /_nodes/_all/http, /_nodes/total, 1",
        "GET, /_index_template/filebeat-8.19.0, /index_templates/0/name, filebeat-8.19.0",
        "PUT, /_index_template/filebeat-8.19.0, /acknowledged, true",
        "GET, /_template/logstash, /logstash/index_patterns/0, logstash",
        "PUT, /_template/logstash, /acknowledged, true",
        "GET, /_component_template/x, /component_templates/0/name, x",
        "PUT, /_component_template/x, /acknowledged, true",
        "GET, /_ilm/policy/filebeat, /filebeat/version, 1",
        "PUT, /_ilm/policy/filebeat, /acknowledged, true",
        "GET, /_data_stream/logs-app-prod, /data_streams/0/name, logs-app-prod",
        "PUT, /_data_stream/logs-app-prod, /acknowledged, true",
        "PUT, /_ingest/pipeline/p, /acknowledged, true",
        "PUT, /some-index, /index, some-index",
        "PUT, /some-index/_alias/a, /acknowledged, true",
        "POST, /some-index/_refresh, /_shards/failed, 0",
        "GET, /some-index/_refresh, /_shards/failed, 0",
    })
    void startupQuestions(String method, String path, String pointer, String expected) throws Exception {
        HttpResponse<String> response = gateway.request(method, path, Map.of(), "{\"policy\":{}}".getBytes(UTF_8));
        assertThat(ok(response).at(pointer).asText()).as(response.body()).isEqualTo(expected);
        assertThat(response.headers().firstValue("X-Elastic-Product")).contains("Elasticsearch");
    }

    @ParameterizedTest
    @CsvSource({
        "/",
        "/_index_template/a",
        "/_template/a",
        "/_component_template/a",
        "/_ilm/policy/a",
        "/_alias/a",
        "/_data_stream/a",
        "/_ingest/pipeline/a",
        "/some-index",
    })
    void allIsThere(String path) throws Exception {
        HttpResponse<String> response = get("HEAD", path);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValue("X-Elastic-Product")).contains("Elasticsearch");
    }

    @Test
    void nodesAreFoundAtTheAddressThatWasAsked() throws Exception {
        JsonNode nodes = ok(get("GET", "/_nodes/http")).get("nodes");
        assertThat(nodes.elements().next().at("/http/publish_address").asText())
                .isEqualTo(gateway.uri().getAuthority());
    }

    @Test
    void whatIsNotTakenIsSaid() throws Exception {
        assertThat(get("POST", "/logs/_search").statusCode()).isEqualTo(404);
        assertThat(get("GET", "/_cat/indices").statusCode()).isEqualTo(404);
        assertThat(get("GET", "/_bulk").statusCode()).isEqualTo(405);
        assertThat(get("GET", "/health").body()).contains("up");
        assertThat(get("GET", "/metrics").body()).contains("door=\"elasticsearch\"");
    }

    /** Sends bytes as they are, and returns the body of the answer. */
    private static String replay(byte[] head, byte[] body) throws Exception {
        try (Socket socket = new Socket(gateway.uri().getHost(), gateway.uri().getPort())) {
            socket.getOutputStream().write(head);
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    private static byte[] head(String request, int length, String... headers) {
        return (request + " HTTP/1.1\r\nHost: " + gateway.uri().getAuthority() + "\r\nConnection: close\r\n"
                        + String.join("\r\n", headers) + "\r\nContent-Length: " + length + "\r\n\r\n")
                .getBytes(UTF_8);
    }

    @Test
    void filebeat() throws Exception {
        byte[] body = """
            {"create":{"_index":"filebeat-8.19.0"}}
            {"@timestamp":"2026-11-20T10:00:00.123Z","message":"a line","log":{"offset":0,"file":{"path":"/var/log/a"}},\
            "input":{"type":"filestream"},"ecs":{"version":"8.0.0"},"host":{"name":"web-1"},\
            "agent":{"type":"filebeat","version":"8.19.0"}}
            """.getBytes(UTF_8);
        String answer = replay(
                head(
                        "POST /_bulk" + OF_BEATS,
                        body.length,
                        "User-Agent: Elastic-filebeat/8.19.0 (linux; amd64)",
                        "Accept: application/json",
                        "Content-Type: application/json; charset=UTF-8",
                        "X-Elastic-Product-Origin: beats",
                        "X-Scope-OrgID: filebeat"),
                body);
        assertThat(answer).isEqualTo("{\"errors\":false,\"items\":[{\"create\":{\"status\":201}}]}");
        assertThat(gateway.members("filebeat"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("index", "filebeat-8.19.0")
                        .containsEntry("message", "a line")
                        .containsEntry("log.offset", 0L)
                        .containsEntry("host.name", "web-1")
                        .doesNotContainKey("@timestamp"));
        assertThat(gateway.rows("filebeat", "logs").getFirst()).containsEntry("ts", 1_795_168_800_123_000L);
    }

    @Test
    void logstash() throws Exception {
        byte[] body = """
            {"create":{"_id":null,"_index":"logs-generic-default","routing":null}}
            {"@timestamp":"2026-11-20T10:00:00.123456Z","@version":"1","message":"a line","host":{"name":"web-1"},\
            "event":{"original":"a line"},"data_stream":{"type":"logs","dataset":"generic","namespace":"default"}}
            """.getBytes(UTF_8);
        String answer = replay(
                head(
                        "POST /_bulk?filter_path=errors,items.*.error,items.*.status",
                        gzip(body).length,
                        "Content-Type: application/json",
                        "Content-Encoding: gzip",
                        "User-Agent: Logstash/8.19.0 (OS=Linux-6.1-amd64) logstash-output-elasticsearch/11.22.12",
                        "x-elastic-product-origin: logstash-output-elasticsearch",
                        "X-Scope-OrgID: logstash"),
                gzip(body));
        assertThat(answer).isEqualTo("{\"errors\":false,\"items\":[{\"create\":{\"status\":201}}]}");
        assertThat(gateway.members("logstash"))
                .containsExactly(Map.of(
                        "@version",
                        "1",
                        "message",
                        "a line",
                        "host.name",
                        "web-1",
                        "event.original",
                        "a line",
                        "data_stream.type",
                        "logs",
                        "data_stream.dataset",
                        "generic",
                        "data_stream.namespace",
                        "default"));
    }

    @Test
    void fluentBit() throws Exception {
        byte[] body = """
            {"create":{"_index":"fluent-bit","_type":"_doc"}}
            {"@timestamp":"2026-11-20T10:00:00.123Z","log":"a line","stream":"stdout"}
            {"index":{"_index":"fluent-bit","_id":"8ddd8fbb-c3ff-38b6-ac6d-c75a3bf47f47"}}
            {"@timestamp":"2026-11-20T10:00:01.123Z","log":"another","stream":"stderr"}
            """.getBytes(UTF_8);
        JsonNode answer = JSON.readTree(replay(
                head(
                        "POST /_bulk/?pipeline=none",
                        body.length,
                        "User-Agent: Fluent-Bit",
                        "Content-Type: application/x-ndjson",
                        "X-Scope-OrgID: fluent"),
                body));
        assertThat(answer.get("errors").asBoolean()).isFalse();
        assertThat(answer.get("items")).hasSize(2);
        assertThat(gateway.members("fluent"))
                .containsExactlyInAnyOrder(
                        Map.of("index", "fluent-bit", "log", "a line", "stream", "stdout"),
                        Map.of(
                                "index",
                                "fluent-bit",
                                "log",
                                "another",
                                "stream",
                                "stderr",
                                "document_id",
                                "8ddd8fbb-c3ff-38b6-ac6d-c75a3bf47f47"));
    }

    @Test
    void vector() throws Exception {
        byte[] body = """
            {"index":{"_index":"vector-2026.11.27","_type":"_doc"}}
            {"host":"web-1","message":"a line","source_type":"demo_logs","timestamp":"2026-11-20T10:00:00.123456789Z"}
            """.getBytes(UTF_8);
        String answer = replay(
                head(
                        "POST /_bulk?timeout=60s",
                        body.length,
                        "content-type: application/x-ndjson",
                        "user-agent: Vector/0.43.0 (x86_64-unknown-linux-gnu)",
                        "accept-encoding: identity",
                        "X-Scope-OrgID: vector"),
                body);
        // It looks for the text
        assertThat(answer).contains("\"errors\":false").doesNotContain("\"errors\":true");
        assertThat(gateway.members("vector"))
                .containsExactly(Map.of(
                        "host",
                        "web-1",
                        "message",
                        "a line",
                        "source_type",
                        "demo_logs",
                        "index",
                        "vector-2026.11.27"));
        assertThat(gateway.rows("vector", "logs").getFirst()).containsEntry("ts", 1_795_168_800_123_456L);
    }

    /** OpenTelemetry's Collector by its exporter for Elasticsearch. */
    @Test
    void collector() throws Exception {
        byte[] body = """
            {"create":{"_index":"logs-generic.otel-default"}}
            {"@timestamp":"1795168800123.456789","observed_timestamp":"1795168801000.0",\
            "data_stream":{"dataset":"generic.otel","namespace":"default","type":"logs"},"severity_number":17,\
            "severity_text":"ERROR","attributes":{"http.status_code":500,"retry":true},\
            "resource":{"attributes":{"service.name":"web","host.name":"web-1"}},"scope":{"name":"shop","version":"42"},\
            "body":{"text":"a line"},"trace_id":"01020304050607080900010203040506","span_id":"0102030405060708"}
            """.getBytes(UTF_8);
        String answer = replay(
                head(
                        "POST /_bulk?filter_path=items.%2A._index%2Citems.%2A.status%2Citems.%2A.failure_store"
                                + "%2Citems.%2A.error.type%2Citems.%2A.error.reason&require_data_stream=true",
                        gzip(body).length,
                        "User-Agent: OpenTelemetry Collector Contrib/0.165.0 (linux/amd64)",
                        "Content-Type: application/json",
                        "Content-Encoding: gzip",
                        "X-Elastic-Event-Count: 1",
                        "X-Elastic-Uncompressed-Request-Length: " + body.length,
                        "X-Scope-OrgID: collector"),
                gzip(body));
        assertThat(answer)
                .isEqualTo("{\"items\":[{\"create\":{\"_index\":\"logs-generic.otel-default\",\"status\":201}}]}");
        assertThat(gateway.members("collector"))
                .containsExactly(Map.ofEntries(
                        entry("observed_timestamp", "1795168801000.0"),
                        entry("data_stream.dataset", "generic.otel"),
                        entry("data_stream.namespace", "default"),
                        entry("data_stream.type", "logs"),
                        entry("severity_number", 17L),
                        entry("severity_text", "ERROR"),
                        entry("attributes", Map.of("attributes.http.status_code", "500", "attributes.retry", "true")),
                        entry("resource.attributes.service.name", "web"),
                        entry("resource.attributes.host.name", "web-1"),
                        entry("scope.name", "shop"),
                        entry("scope.version", "42"),
                        entry("body.text", "a line"),
                        entry("trace_id", "01020304050607080900010203040506"),
                        entry("span_id", "0102030405060708")));
        assertThat(gateway.rows("collector", "logs").getFirst()).containsEntry("ts", 1_795_168_800_123_456L);
    }

    private static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(body);
        }
        return gzip.toByteArray();
    }
}
