package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.gateway.loki.PushRequest.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.xerial.snappy.Snappy;

/** Loki's door, with requests as its clients send them. */
class LokiDoorIT {
    private static final String PATH = "/loki/api/v1/push";
    private static final long SECONDS = 1_795_168_800;
    private static final byte[] SMALL = new PushRequest()
            .stream("{app=\"web\"}", new Entry(SECONDS, 123_456_789, "hello", Map.of("trace_id", "7")))
                    .toByteArray();
    private static final Map<String, Object> SMALL_ROW =
            Map.of("message", "hello", "app", "web", "trace_id", "7", "ts_nanos", 789L);

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static HttpResponse<String> post(String tenant, Map<String, String> headers, byte[] body) throws Exception {
        Map<String, String> all = new HashMap<>(headers);
        all.put("X-Scope-OrgID", tenant);
        return gateway.request("POST", PATH, all, body);
    }

    private static void ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(204);
        assertThat(response.body()).isEmpty();
    }

    /** Promtail and Alloy do not name the encoding; others do. */
    @Test
    void protobuf() throws Exception {
        ok(post("protobuf", Map.of("Content-Type", "application/x-protobuf"), Snappy.compress(SMALL)));
        ok(post(
                "protobuf",
                Map.of("Content-Type", "application/x-protobuf", "Content-Encoding", "snappy"),
                Snappy.compress(SMALL)));
        ok(gateway.request("POST", "/api/prom/push", Map.of("X-Scope-OrgID", "protobuf"), Snappy.compress(SMALL)));
        assertThat(gateway.members("protobuf")).containsExactly(SMALL_ROW, SMALL_ROW, SMALL_ROW);
    }

    /** OpenTelemetry's Collector by its former exporter for Loki. */
    @Test
    void collector() throws Exception {
        String line =
                "{\"body\":\"a line\",\"traceid\":\"01020304050607080900010203040506\",\"spanid\":\"0102030405060708\""
                        + ",\"severity\":\"ERROR\",\"attributes\":{\"http.status_code\":500}"
                        + ",\"resources\":{\"host.name\":\"web-1\"},\"instrumentation_scope\":{\"name\":\"shop\"}}";
        byte[] body = new PushRequest()
                .stream(
                                "{exporter=\"OTLP\", instance=\"7\", job=\"shop/web\", level=\"ERROR\"}",
                                new Entry(SECONDS, 123_456_789, line, Map.of()))
                        .toByteArray();
        ok(post(
                "collector",
                Map.of(
                        "Content-Type", "application/x-protobuf",
                        "User-Agent", "OpenTelemetry Collector Contrib/0.130.0 (linux/amd64)"),
                Snappy.compress(body)));
        assertThat(gateway.members("collector"))
                .containsExactly(Map.of(
                        "message",
                        line,
                        "exporter",
                        "OTLP",
                        "instance",
                        "7",
                        "job",
                        "shop/web",
                        "level",
                        "ERROR",
                        "ts_nanos",
                        789L));
        assertThat(gateway.rows("collector", "logs").getFirst()).containsEntry("ts", SECONDS * 1_000_000 + 123_456);
    }

    /** As Fluent Bit and Vector send it. */
    @Test
    void json() throws Exception {
        byte[] body = """
            {"streams":[{"stream":{"app":"web"},"values":[["1795168800123456789","hello",{"trace_id":"7"}]]}]}""".getBytes(UTF_8);
        ok(post("json", Map.of("Content-Type", "application/json"), body));
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(body);
        }
        ok(post("json", Map.of("Content-Type", "application/json", "Content-Encoding", "gzip"), gzip.toByteArray()));
        assertThat(gateway.members("json")).containsExactly(SMALL_ROW, SMALL_ROW);
    }

    @Test
    void theGoodEntriesOfAPartlyBadRequestAreKept() throws Exception {
        byte[] body = new PushRequest()
                .stream("{app=}", new Entry(SECONDS, 0, "bad", Map.of())).stream(
                                "{app=\"web\"}", new Entry(SECONDS, 0, "good", Map.of()))
                        .toByteArray();
        HttpResponse<String> answer =
                post("partial", Map.of("Content-Type", "application/x-protobuf"), Snappy.compress(body));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("entry 1: expected a string in the labels after '{app='");
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(gateway.members("partial")).containsExactly(Map.of("message", "good", "app", "web"));
    }

    @Test
    void malformedRequests() throws Exception {
        Map<String, String> protobuf = Map.of("Content-Type", "application/x-protobuf");
        byte[] packed = Snappy.compress(SMALL);
        assertThat(post("malformed", protobuf, SMALL).statusCode()).isEqualTo(400);
        assertThat(post("malformed", protobuf, Arrays.copyOf(packed, packed.length - 1))
                        .body())
                .startsWith("The body is no block of Snappy");
        assertThat(post("malformed", protobuf, Snappy.compress("no protobuf")).statusCode())
                .isEqualTo(400);
        for (String json : List.of("", "[]", "{\"streams\":7}", "{\"streams\":[{\"values\":[[\"x\",\"line\"]]}]}")) {
            assertThat(post("malformed", Map.of("Content-Type", "application/json"), json.getBytes(UTF_8))
                            .statusCode())
                    .as(json)
                    .isEqualTo(400);
        }
        assertThat(post("malformed", Map.of("Content-Type", "text/plain"), SMALL)
                        .statusCode())
                .isEqualTo(415);
        assertThat(gateway.records("malformed", "logs")).isEmpty();
    }

    /** Labels that are too many cost their stream; metadata and bytes that are not UTF-8 cost nothing. */
    @Test
    void badStreamsCostOnlyThemselves() throws Exception {
        String labels =
                IntStream.range(0, 200_000).mapToObj(i -> "l" + i + "=\"\"").collect(joining(",", "{", "}"));
        Map<String, String> metadata = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            metadata.put("m" + i, "");
        }
        String twice = "{app=\"1\", app=\"2\", App=\"3\"}";
        byte[] body = new PushRequest()
                .stream(labels, new Entry(SECONDS, 0, "labels", Map.of())).stream(
                                "{app=\"web\"}", new Entry(SECONDS, 0, "metadata", metadata))
                        .stream(twice, new Entry(SECONDS, 0, "twice", Map.of()))
                        .stream("{app=\"\\xff\"}", new Entry(SECONDS, 0, "bytes", Map.of()))
                        .stream("{}", new Entry(Long.MAX_VALUE, 0, "far", Map.of()))
                        .toByteArray();
        HttpResponse<String> answer =
                post("hostile", Map.of("Content-Type", "application/x-protobuf"), Snappy.compress(body));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("entry 1: The stream has more than 1000 labels");
        assertThat(gateway.members("hostile").stream().map(row -> row.get("message")))
                .containsExactlyInAnyOrder("metadata", "twice", "bytes", "far");
        assertThat(gateway.members("hostile"))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("message", "twice")
                        .containsEntry("attributes", Map.of("app", "1", "app#2", "2", "App", "3")))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("message", "bytes")
                        .containsEntry("attributes", Map.of("app", "\\xff")));
    }

    /** The length that a block claims is all that unpacking goes by. */
    @Test
    void bombsEndAtTheBound() throws Exception {
        Map<String, String> protobuf = Map.of("Content-Type", "application/x-protobuf");
        assertThat(post("bomb", protobuf, Snappy.compress(new byte[9 << 20])).statusCode())
                .isEqualTo(413);
        byte[] claims2Gb = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 0, 0};
        assertThat(post("bomb", protobuf, claims2Gb).statusCode()).isEqualTo(413);
        byte[] claims7Mb = {(byte) 0x80, (byte) 0x80, (byte) 0xC0, 3, 0, 0};
        assertThat(post("bomb", protobuf, claims7Mb).body()).contains("shorter than its length says");
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains("cordwood_gateway_in_flight_bytes 0");
    }

    @Test
    void anotherStreamAndAQuota() throws Exception {
        Map<String, String> headers = Map.of("Content-Type", "application/x-protobuf", "X-Cordwood-Stream", "audit");
        ok(post("stream", headers, Snappy.compress(SMALL)));
        assertThat(gateway.rows("stream", "audit")).hasSize(1);
        gateway.limit("small-loki", Quota.NONE.withBytesPerSecond(OptionalLong.of(20)));
        ok(post("small-loki", headers, Snappy.compress(SMALL)));
        HttpResponse<String> refused = post("small-loki", headers, Snappy.compress(SMALL));
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void theAppenderOfLogback() throws Exception {
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream(
                """
            <configuration>
              <appender name="LOKI" class="com.github.loki4j.logback.Loki4jAppender">
                <http><url>%s</url><tenantId>logback</tenantId></http>
                <labels>app=web
                  level=%%level</labels>
                <structuredMetadata>thread=%%thread</structuredMetadata>
                <message class="ch.qos.logback.classic.PatternLayout"><pattern>%%msg</pattern></message>
              </appender>
              <root level="INFO"><appender-ref ref="LOKI"/></root>
            </configuration>""".formatted(gateway.uri().resolve(PATH)).getBytes(UTF_8)));
        Logger logger = context.getLogger("test");
        for (int i = 0; i < 500; i++) {
            logger.info("line \"{}\" with \\ and é", i);
        }
        // Sends what is left
        context.stop();
        List<Map<String, Object>> rows = gateway.members("logback");
        assertThat(rows.stream().map(row -> row.get("message")))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500)
                        .mapToObj(i -> (Object) "line \"%d\" with \\ and é".formatted(i))
                        .toList());
        assertThat(rows)
                .allSatisfy(row -> assertThat(row)
                        .containsEntry("app", "web")
                        .containsEntry("level", "INFO")
                        .containsEntry("thread", Thread.currentThread().getName()));
    }
}
