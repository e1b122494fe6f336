package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.Zstd;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.record.KafkaRecord;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** OTLP over HTTP. */
class OtlpDoorIT {
    private static final String PROTOBUF = "application/x-protobuf";
    private static final String JSON = "application/json";
    private static final byte[] SMALL = Requests.request(2, 2, 2, 10).toByteArray();

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static HttpResponse<byte[]> post(String tenant, Map<String, String> headers, byte[] body) throws Exception {
        URI uri = gateway.uri().resolve("/v1/logs");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("X-Scope-OrgID", tenant)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static void ok(HttpResponse<byte[]> response) throws Exception {
        assertThat(response.statusCode()).as(new String(response.body(), UTF_8)).isEqualTo(200);
        if (response.headers().firstValue("Content-Type").orElseThrow().equals(JSON)) {
            assertThat(response.body()).asString().isEqualTo("{}");
        } else {
            assertThat(ExportLogsServiceResponse.parseFrom(response.body()))
                    .isEqualTo(ExportLogsServiceResponse.getDefaultInstance());
        }
    }

    private static List<Object> column(String tenant, String name) throws Exception {
        return gateway.members(tenant).stream().map(row -> row.get(name)).toList();
    }

    @Test
    void aRequestInProtobufIsOneRecordAsItCame() throws Exception {
        ok(post("protobuf", Map.of("Content-Type", PROTOBUF), SMALL));
        List<ConsumerRecord<byte[], byte[]>> records = gateway.records("protobuf", "logs");
        assertThat(records).hasSize(1);
        assertThat(records.getFirst().value()).isEqualTo(SMALL);
        assertThat(records.getFirst()
                        .headers()
                        .lastHeader(KafkaRecord.CONTENT_TYPE_HEADER)
                        .value())
                .asString()
                .isEqualTo(PROTOBUF);
        assertThat(gateway.members("protobuf").getFirst())
                .containsEntry("message", "bbbbbbbbbb")
                .containsEntry("level", "WARN")
                .containsEntry("n", 0L)
                .containsEntry("resource.service.name", "service-0")
                .containsEntry("scope.name", "scope-0");
    }

    @Test
    void aRequestInJson() throws Exception {
        ok(post(
                "json",
                Map.of("Content-Type", "application/json; charset=utf-8"),
                OtlpJson.of(Requests.request(2, 2, 2, 10)).getBytes(UTF_8)));
        ok(post("json-reference", Map.of("Content-Type", PROTOBUF), SMALL));
        assertThat(gateway.members("json")).isEqualTo(gateway.members("json-reference"));
    }

    @Test
    void packedRequestsAndTheOtherPath() throws Exception {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(SMALL);
        }
        ok(post("packed", Map.of("Content-Type", PROTOBUF, "Content-Encoding", "gzip"), gzip.toByteArray()));
        ok(post("packed", Map.of("Content-Type", PROTOBUF, "Content-Encoding", "zstd"), Zstd.compress(SMALL)));
        ok(post("packed", Map.of("Content-Type", PROTOBUF, "Content-Encoding", "identity"), SMALL));
        assertThat(gateway.request(
                                "POST",
                                "/otlp/v1/logs",
                                Map.of("Content-Type", PROTOBUF, "X-Scope-OrgID", "packed"),
                                SMALL)
                        .statusCode())
                .isEqualTo(200);
        assertThat(gateway.members("packed")).hasSize(32);
    }

    @Test
    void aLargeRequestGoesInParts() throws Exception {
        ExportLogsServiceRequest large = Requests.request(2, 2, 500, 2_000);
        ok(post("large", Map.of("Content-Type", PROTOBUF), large.toByteArray()));
        ok(post("large-json", Map.of("Content-Type", JSON), OtlpJson.of(large).getBytes(UTF_8)));
        assertThat(gateway.records("large", "logs")).hasSizeBetween(4, 6);
        assertThat(column("large", "n")).hasSize(2_000).doesNotHaveDuplicates();
        assertThat(column("large-json", "n")).hasSize(2_000).doesNotHaveDuplicates();
        assertThat(column("large", "resource.service.name").stream()
                        .filter("service-1"::equals)
                        .count())
                .isEqualTo(1_000);
    }

    @Test
    void malformedRequests() throws Exception {
        HttpResponse<byte[]> refused =
                post("malformed", Map.of("Content-Type", PROTOBUF), "{\"resourceLogs\":[]}".getBytes(UTF_8));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).contains(PROTOBUF);
        // google.rpc.Status: code 3
        assertThat(refused.body()).startsWith(0x08, 3, 0x12);
        assertThat(new String(refused.body(), UTF_8)).contains("The request is malformed: ");
        refused = post("malformed", Map.of("Content-Type", JSON), SMALL);
        assertThat(refused.statusCode()).isEqualTo(400);
        JsonNode status = new ObjectMapper().readTree(refused.body());
        assertThat(status.get("code").asInt()).isEqualTo(3);
        assertThat(status.get("message").asText()).startsWith("The request is malformed: ");
        assertThat(post("malformed", Map.of("Content-Type", "text/plain"), SMALL)
                        .statusCode())
                .isEqualTo(415);
        assertThat(post("malformed", Map.of("Content-Type", PROTOBUF, "X-Cordwood-Stream", "nosuch"), SMALL)
                        .statusCode())
                .isEqualTo(404);
        assertThat(gateway.request("GET", "/v1/logs", Map.of(), new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(gateway.records("malformed", "logs")).isEmpty();
    }

    @Test
    void aPartlyBadRequest() throws Exception {
        HttpResponse<byte[]> partial = post("partial", Map.of("Content-Type", JSON), """
            {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"good"}},{"body":"bad"}]}]}]}
            """.getBytes(UTF_8));
        assertThat(partial.statusCode()).isEqualTo(200);
        JsonNode answer = new ObjectMapper().readTree(partial.body()).get("partialSuccess");
        assertThat(answer.get("rejectedLogRecords").asText()).isEqualTo("1");
        assertThat(answer.get("errorMessage").asText()).startsWith("Log record 2 of the request: ");
        assertThat(column("partial", "message")).containsExactly("good");
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains("cordwood_gateway_rejected_rows_total{door=\"otlp\"} 1");
    }

    @Test
    void anEmptyRequestIsTakenAndWritesNothing() throws Exception {
        ok(post("empty", Map.of("Content-Type", PROTOBUF), new byte[0]));
        ok(post("empty", Map.of("Content-Type", JSON), "{}".getBytes(UTF_8)));
        assertThat(gateway.records("empty", "logs")).isEmpty();
    }

    @Test
    void bombsEndAtTheBound() throws Exception {
        byte[] bomb = Zstd.compress(new byte[64 << 20]);
        assertThat(post("bomb", Map.of("Content-Type", PROTOBUF, "Content-Encoding", "zstd"), bomb)
                        .statusCode())
                .isEqualTo(413);
        assertThat(gateway.records("bomb", "logs")).isEmpty();
    }

    @Test
    void anotherStream() throws Exception {
        ok(post("stream", Map.of("Content-Type", PROTOBUF, "X-Cordwood-Stream", "audit"), SMALL));
        assertThat(gateway.rows("stream", "audit")).hasSize(8);
        assertThat(gateway.records("stream", "logs")).isEmpty();
    }

    @Test
    void aTenantBeyondItsQuotaWaits() throws Exception {
        gateway.limit("small-otlp", Quota.NONE.withBytesPerSecond(OptionalLong.of(100)));
        ok(post("small-otlp", Map.of("Content-Type", PROTOBUF), SMALL));
        HttpResponse<byte[]> refused = post("small-otlp", Map.of("Content-Type", PROTOBUF), SMALL);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(new String(refused.body(), UTF_8)).contains("google.rpc.RetryInfo");
    }
}
