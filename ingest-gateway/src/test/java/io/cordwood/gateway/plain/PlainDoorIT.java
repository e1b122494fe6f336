package io.cordwood.gateway.plain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.Zstd;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.record.KafkaRecord;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The gateway's own door. */
class PlainDoorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LINES = "application/x-ndjson";

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static JsonNode ok(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static String message(HttpResponse<String> response) throws Exception {
        return JSON.readTree(response.body()).at("/error/message").asText();
    }

    @Test
    void linesOfJsonAreRowsOfOneRecord() throws Exception {
        JsonNode answer =
                ok(gateway.post("/api/v1/ingest/logs", "lines", LINES, "{\"n\":1}\n\n{\"n\":2}\r\n{\"n\":3}"));
        assertThat(answer.get("rows").asInt()).isEqualTo(3);
        assertThat(answer.get("rejected").asInt()).isZero();
        assertThat(gateway.members("lines")).containsExactly(Map.of("n", 1L), Map.of("n", 2L), Map.of("n", 3L));
        List<ConsumerRecord<byte[], byte[]>> records = gateway.records("lines", "logs");
        assertThat(records).hasSize(1);
        assertThat(records.getFirst()
                        .headers()
                        .lastHeader(KafkaRecord.CONTENT_TYPE_HEADER)
                        .value())
                .asString()
                .isEqualTo(LINES);
    }

    @Test
    void anArrayAnObjectAndText() throws Exception {
        ok(gateway.post(
                "/api/v1/ingest/logs", "forms", "application/json; charset=utf-8", "[{\"a\":\n 1},\n{\"a\":2}]"));
        ok(gateway.post("/api/v1/ingest/logs", "forms", "application/json", "{\n  \"a\": 3\n}"));
        ok(gateway.post("/api/v1/ingest/logs", "forms", "text/plain", "{\"a\":4}\nsaid \"no\"\tand \\ left\n"));
        assertThat(gateway.members("forms"))
                .containsExactlyInAnyOrder(
                        Map.of("a", 1L),
                        Map.of("a", 2L),
                        Map.of("a", 3L),
                        Map.of("message", "{\"a\":4}"),
                        Map.of("message", "said \"no\"\tand \\ left"));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstRow() throws Exception {
        for (String type : List.of(LINES, "application/json", "application/octet-stream")) {
            ok(gateway.post("/api/v1/ingest/logs", "marked", type, "\uFEFF{\"a\":1}\n{\"a\":1}\n"));
            ok(gateway.post("/api/v1/ingest/logs", "marked", "application/json", "\uFEFF[{\"a\":1}]"));
        }
        assertThat(gateway.members("marked")).hasSize(9).containsOnly(Map.of("a", 1L));
        ok(gateway.post("/api/v1/ingest/logs", "marked-text", "text/plain", "\uFEFFfirst\n\uFEFF"));
        assertThat(gateway.members("marked-text").stream().map(row -> row.get("message")))
                .containsExactly("first", "\uFEFF");
    }

    /** {@code curl --data-binary} says that everything is a form. */
    @Test
    void whatCurlSendsIsTakenAsItLooks() throws Exception {
        String form = "application/x-www-form-urlencoded";
        ok(gateway.post("/api/v1/ingest", "curl", form, "{\"a\":1}\n{\"a\":2}\n"));
        ok(gateway.post("/api/v1/ingest/", "curl", form, "[{\"a\":3}]"));
        ok(gateway.post("/api/v1/ingest/logs", "curl", form, "plain words"));
        assertThat(gateway.members("curl"))
                .containsExactlyInAnyOrder(
                        Map.of("a", 1L), Map.of("a", 2L), Map.of("a", 3L), Map.of("message", "plain words"));
    }

    @Test
    void aMalformedLineCostsOnlyItself() throws Exception {
        JsonNode answer = ok(
                gateway.post("/api/v1/ingest/logs", "bad", LINES, "{\"n\":1}\n{\"n\":\n[2]\n{\"n\":3} x\n{\"n\":4}\n"));
        assertThat(answer.get("rows").asInt()).isEqualTo(2);
        assertThat(answer.get("rejected").asInt()).isEqualTo(3);
        assertThat(answer.get("errors").findValuesAsText("row")).containsExactly("2", "3", "4");
        assertThat(gateway.members("bad")).containsExactly(Map.of("n", 1L), Map.of("n", 4L));
    }

    @Test
    void aRequestWithoutAGoodRowIsRefused() throws Exception {
        assertThat(gateway.post("/api/v1/ingest/logs", "worse", LINES, "{\n}").statusCode())
                .isEqualTo(400);
        assertThat(gateway.post("/api/v1/ingest/logs", "worse", "application/json", "[{\"a\":1},")
                        .statusCode())
                .isEqualTo(400);
        String deep = "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
        HttpResponse<String> refused = gateway.post("/api/v1/ingest/logs", "worse", LINES, deep);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("more than 1000 levels deep");
        assertThat(gateway.records("worse", "logs")).isEmpty();
    }

    @Test
    void packedBodies() throws Exception {
        byte[] body = "{\"n\":1}\n{\"n\":2}\n".getBytes(UTF_8);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(body);
        }
        ok(gateway.request(
                "POST",
                "/api/v1/ingest/logs?tenant=packed",
                Map.of("Content-Type", LINES, "Content-Encoding", "gzip"),
                gzip.toByteArray()));
        ok(gateway.request(
                "POST",
                "/api/v1/ingest/logs?tenant=packed",
                Map.of("Content-Type", LINES, "Content-Encoding", "zstd"),
                Zstd.compress(body)));
        assertThat(gateway.members("packed")).hasSize(4);
        HttpResponse<String> cut = gateway.request(
                "POST",
                "/api/v1/ingest/logs?tenant=cut",
                Map.of("Content-Type", LINES, "Content-Encoding", "gzip"),
                Arrays.copyOf(gzip.toByteArray(), gzip.size() - 9));
        assertThat(cut.statusCode()).isEqualTo(400);
        assertThat(message(cut)).contains("Content-Encoding");
        assertThat(gateway.request(
                                "POST",
                                "/api/v1/ingest/logs?tenant=cut",
                                Map.of("Content-Type", LINES, "Content-Encoding", "br"),
                                body)
                        .statusCode())
                .isEqualTo(415);
        assertThat(gateway.records("cut", "logs")).isEmpty();
    }

    @Test
    void bombsEndAtTheBound() throws Exception {
        byte[] bomb = Zstd.compress(new byte[64 << 20]);
        HttpResponse<String> refused = gateway.request(
                "POST",
                "/api/v1/ingest/logs?tenant=bomb",
                Map.of("Content-Type", LINES, "Content-Encoding", "zstd"),
                bomb);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(gateway.request(
                                "POST",
                                "/api/v1/ingest/logs?tenant=bomb",
                                Map.of("Content-Type", LINES),
                                new byte[9 << 20])
                        .statusCode())
                .isEqualTo(413);
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains("cordwood_gateway_in_flight_bytes 0");
    }

    @Test
    void streamsAndPathsThatAreNotThere() throws Exception {
        HttpResponse<String> refused = gateway.post("/api/v1/ingest/nosuch", "acme", LINES, "{}");
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(message(refused)).isEqualTo("There is no stream 'nosuch': use audit, logs");
        assertThat(gateway.post("/nosuch", "acme", LINES, "{}").statusCode()).isEqualTo(404);
        assertThat(gateway.request("GET", "/api/v1/ingest/logs", Map.of(), new byte[0])
                        .statusCode())
                .isEqualTo(405);
        ok(gateway.post("/api/v1/ingest/audit", "other-stream", LINES, "{\"n\":1}"));
        assertThat(gateway.rows("other-stream", "audit")).hasSize(1);
        assertThat(gateway.records("other-stream", "logs")).isEmpty();
    }

    @Test
    void withoutATenantRowsAreOfTheDefaultOne() throws Exception {
        ok(gateway.request("POST", "/api/v1/ingest/logs", Map.of("Content-Type", LINES), "{\"n\":1}".getBytes(UTF_8)));
        assertThat(gateway.members("default")).containsExactly(Map.of("n", 1L));
        assertThat(gateway.post("/api/v1/ingest/logs", "x".repeat(129), LINES, "{}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aTenantBeyondItsQuotaWaits() throws Exception {
        gateway.limit("small", Quota.NONE.withBytesPerSecond(OptionalLong.of(1000)));
        String row = "{\"m\":\"" + "x".repeat(5000) + "\"}";
        ok(gateway.post("/api/v1/ingest/logs", "small", LINES, row));
        HttpResponse<String> refused = gateway.post("/api/v1/ingest/logs", "small", LINES, row);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(refused.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1, 5);
        ok(gateway.post("/api/v1/ingest/logs", "unlimited", LINES, row));
    }

    @Test
    void aTenantBeyondItsQuotaOfRowsWaits() throws Exception {
        gateway.limit("few-rows", Quota.NONE.withRowsPerSecond(OptionalLong.of(10)));
        String rows = "{\"n\":1}\n" + "no JSON\n".repeat(50);
        ok(gateway.post("/api/v1/ingest/logs", "few-rows", LINES, rows));
        HttpResponse<String> refused = gateway.post("/api/v1/ingest/logs", "few-rows", LINES, rows);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("its quota of 10 rows per second: send again later");
        assertThat(Integer.parseInt(refused.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(2, 5);
    }

    @Test
    void aLargeRequestGoesInSeveralRecordsAndKeepsItsOrder() throws Exception {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            body.append("{\"n\":%d,\"m\":\"%s\"}\n".formatted(i, "x".repeat(100)));
        }
        assertThat(ok(gateway.post("/api/v1/ingest/logs", "large", LINES, body.toString()))
                        .get("rows")
                        .asInt())
                .isEqualTo(30_000);
        assertThat(gateway.records("large", "logs")).hasSizeGreaterThan(2);
        assertThat(gateway.members("large").stream().map(row -> row.get("n")).distinct())
                .hasSize(30_000);
    }
}
