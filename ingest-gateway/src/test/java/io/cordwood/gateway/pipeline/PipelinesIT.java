package io.cordwood.gateway.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.services.Waiting;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows of each door go through their tenant's pipeline on their way to Kafka. */
class PipelinesIT {
    private static final String TEXT = "card 4111 1111 1111 1111 of a@b.de, password=hunter2 at 10.9.8.7";
    private static final String REDACTED =
            "card [redacted:card_number] of [redacted:email], password=[redacted:secret] at [redacted:ip_address]";
    private static final List<String> PLANTED = List.of("4111", "a@b.de", "hunter2", "10.9.8.7");
    private static final String REDACT =
            "{\"type\":\"redact\",\"kinds\":[\"card_number\",\"email\",\"secret\",\"ip_address\"]}";

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static void pipeline(String tenant, String... steps) {
        gateway.catalog().putTenant(Tenant.of(tenant));
        gateway.catalog()
                .putPipeline(
                        tenant,
                        PipelineParser.pipeline(Json.parse("{\"steps\":[%s]}"
                                .formatted(String.join(",", steps))
                                .getBytes(UTF_8))));
    }

    private static void ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 204);
    }

    /** The rows that came to Kafka say what they should, and nothing of the record has what was planted. */
    private static void assertRedacted(String tenant, String column, int rows) throws Exception {
        assertThat(gateway.members(tenant))
                .hasSize(rows)
                .allSatisfy(row -> assertThat(row).containsEntry(column, REDACTED));
        for (ConsumerRecord<byte[], byte[]> record : gateway.records(tenant, "logs")) {
            assertThat(new String(record.value(), UTF_8)).doesNotContain(PLANTED);
        }
    }

    @Test
    void rowsOfEveryDoorOverHttp() throws Exception {
        String row = "{\"message\":\"%s\"}".formatted(TEXT);
        pipeline("plain", REDACT);
        ok(gateway.post("/api/v1/ingest/logs", "plain", "application/x-ndjson", row + "\n" + row));
        ok(gateway.post("/api/v1/ingest/logs", "plain", "application/json", "[" + row + "]"));
        ok(gateway.post("/api/v1/ingest/logs", "plain", "text/plain", TEXT));
        assertRedacted("plain", "message", 4);

        pipeline("bulk", REDACT);
        ok(gateway.post(
                "/_bulk", "bulk", "application/x-ndjson", "{\"create\":{\"_index\":\"logs-a-b\"}}\n" + row + "\n"));
        assertRedacted("bulk", "message", 1);

        pipeline("loki", REDACT);
        ok(gateway.post(
                "/loki/api/v1/push",
                "loki",
                "application/json",
                "{\"streams\":[{\"stream\":{\"app\":\"x\"},\"values\":[[\"1795168000123456789\",\"%s\"]]}]}"
                        .formatted(TEXT)));
        assertRedacted("loki", "message", 1);

        pipeline("splunk", REDACT);
        ok(gateway.post(
                "/services/collector/event", "splunk", "application/json", "{\"event\":\"%s\"}".formatted(TEXT)));
        assertRedacted("splunk", "message", 1);

        pipeline("otlp", REDACT);
        ok(gateway.post(
                "/v1/logs",
                "otlp",
                "application/json",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"stringValue\":\"%s\"}}]}]}]}"
                        .formatted(TEXT)));
        ok(gateway.request(
                "POST",
                "/v1/logs",
                Map.of("X-Scope-OrgID", "otlp", "Content-Type", "application/x-protobuf"),
                ExportLogsServiceRequest.newBuilder()
                        .addResourceLogs(ResourceLogs.newBuilder()
                                .addScopeLogs(ScopeLogs.newBuilder()
                                        .addLogRecords(LogRecord.newBuilder()
                                                .setBody(AnyValue.newBuilder().setStringValue(TEXT)))))
                        .build()
                        .toByteArray()));
        assertRedacted("otlp", "message", 2);
        String metrics =
                gateway.request("GET", "/metrics", Map.of(), new byte[0]).body();
        assertThat(metrics)
                .contains(
                        "cordwood_gateway_pipeline_redacted_values_total{tenant=\"plain\",kind=\"card_number\"} 4\n",
                        "cordwood_gateway_pipeline_redacted_values_total{tenant=\"otlp\",kind=\"secret\"} 2\n");
    }

    @Test
    void rowsOfSyslog() throws Exception {
        pipeline("default", REDACT);
        String[] address = gateway.syslog().address().split(":", -1);
        try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
            socket.getOutputStream()
                    .write("<13>1 2026-11-20T10:00:00Z host app - - - %s\n"
                            .formatted(TEXT)
                            .getBytes(UTF_8));
            Waiting.until("the row is there", () -> !gateway.members("default").isEmpty());
        }
        assertRedacted("default", "message", 1);
    }

    @Test
    void droppedRowsCountForTheQuota() throws Exception {
        pipeline("few-rows", "{\"type\":\"drop\",\"column\":\"path\",\"matches\":\"^/health\"}");
        gateway.limit("few-rows", Quota.NONE.withRowsPerSecond(OptionalLong.of(10)));
        String rows = "{\"path\":\"/health\"}\n".repeat(50);
        ok(gateway.post("/api/v1/ingest/logs", "few-rows", "application/x-ndjson", rows));
        assertThat(gateway.post("/api/v1/ingest/logs", "few-rows", "application/x-ndjson", rows)
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void droppedRowsAreAcknowledgedAndNotKept() throws Exception {
        pipeline(
                "steps",
                "{\"type\":\"drop\",\"column\":\"path\",\"matches\":\"^/health\"}",
                "{\"type\":\"parse\",\"column\":\"line\",\"format\":\"grok\",\"pattern\":\"%{IP:ip} %{INT:status:int}\"}",
                "{\"type\":\"remove\",\"columns\":[\"line\"]}");
        ok(gateway.post("/api/v1/ingest/logs", "steps", "application/x-ndjson", """
            {"path":"/health"}
            {"path":"/a","line":"10.0.0.1 200"}
            {"path":"/b","line":"?"}
            """));
        ok(gateway.post("/api/v1/ingest/logs", "steps", "application/x-ndjson", "{\"path\":\"/healthz\"}"));
        assertThat(gateway.members("steps"))
                .containsExactlyInAnyOrder(
                        Map.of("path", "/a", "ip", "10.0.0.1", "status", 200L), Map.of("path", "/b"));
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains(
                        "cordwood_gateway_pipeline_dropped_rows_total{tenant=\"steps\"} 2\n",
                        "cordwood_gateway_pipeline_unparsed_total{tenant=\"steps\"} 1\n");
    }
}
