package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The door for clients of Splunk's HTTP Event Collector. */
class SplunkDoorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EVENTS = "/services/collector/event";
    private static final String CHANNEL = "X-Splunk-Request-Channel";
    private static final String SUCCESS = "{\"text\":\"Success\",\"code\":0}";

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static HttpResponse<String> send(String path, String tenant, String body, String... headers)
            throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("X-Scope-OrgID", tenant, "Authorization", "Splunk any"));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return gateway.request("POST", path, all, body.getBytes(UTF_8));
    }

    private static void assertAnswer(HttpResponse<String> response, int status, String body) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(JSON.readTree(response.body())).isEqualTo(JSON.readTree(body));
    }

    @Test
    void events() throws Exception {
        assertAnswer(send(EVENTS, "events", """
            {"time":1795168800.123,"host":"web-1","source":"/var/log/a","sourcetype":"syslog","index":"main",\
            "event":"a line"}
            {"time":"1795168801","event":{"a":{"b":1},"host":"mine"},"host":"web-1","fields":{"device":"d"}}
            """), 200, SUCCESS);
        assertThat(gateway.members("events"))
                .containsExactlyInAnyOrder(
                        Map.of(
                                "message",
                                "a line",
                                "host",
                                "web-1",
                                "source",
                                "/var/log/a",
                                "sourcetype",
                                "syslog",
                                "index",
                                "main"),
                        Map.of("a.b", 1L, "host", "mine", "device", "d", "attributes", Map.of("host", "web-1")));
        assertThat(gateway.rows("events", "logs").stream().map(row -> row.get("ts")))
                .containsExactlyInAnyOrder(1_795_168_800_123_000L, 1_795_168_801_000_000L);
    }

    @Test
    void everyPathAndForm() throws Exception {
        assertAnswer(send("/services/collector", "forms", "{\"event\":\"1\"}{\"event\":\"2\"}"), 200, SUCCESS);
        assertAnswer(
                send("/services/collector/event/1.0", "forms", "[{\"event\":\"3\"},{\"event\":\"4\"}]"), 200, SUCCESS);
        assertAnswer(send("/services/collector/raw", "forms", "5\n6\r\n\n"), 200, SUCCESS);
        assertAnswer(
                send("/services/collector/raw/1.0?host=h&source=s&sourcetype=t&index=i", "forms", "{\"n\":7}"),
                200,
                SUCCESS);
        assertThat(gateway.members("forms"))
                .containsExactlyInAnyOrder(
                        Map.of("message", "1"),
                        Map.of("message", "2"),
                        Map.of("message", "3"),
                        Map.of("message", "4"),
                        Map.of("message", "5"),
                        Map.of("message", "6"),
                        Map.of("message", "{\"n\":7}", "host", "h", "source", "s", "sourcetype", "t", "index", "i"));
    }

    @Test
    void anIndexThatIsAStream() throws Exception {
        assertAnswer(send(EVENTS, "streams", "{\"event\":\"1\",\"index\":\"audit\"}"), 200, SUCCESS);
        assertAnswer(send("/services/collector/raw?index=audit", "streams", "2"), 200, SUCCESS);
        assertThat(gateway.rows("streams", "audit"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).doesNotContainKey("index"));
        assertThat(gateway.records("streams", "logs")).isEmpty();
    }

    /** Splunk keeps the events before the first bad one, and none after it. */
    @Test
    void nothingAfterABadEventIsTaken() throws Exception {
        assertAnswer(
                send(EVENTS, "bad", "{\"event\":\"1\"}{\"event\":\"2\"}\n{\"event\":\n{\"event\":\"4\"}"),
                400,
                "{\"text\":\"Invalid data format\",\"code\":6,\"invalid-event-number\":2}");
        assertThat(gateway.members("bad")).containsExactly(Map.of("message", "1"), Map.of("message", "2"));
        assertAnswer(
                send(EVENTS, "worse", "{\"host\":\"h\"}{\"event\":\"2\"}"),
                400,
                "{\"text\":\"Event field is required\",\"code\":12,\"invalid-event-number\":0}");
        assertAnswer(
                send(EVENTS, "worse", "{\"event\":\"\"}"),
                400,
                "{\"text\":\"Event field cannot be blank\",\"code\":13,\"invalid-event-number\":0}");
        assertThat(gateway.records("worse", "logs")).isEmpty();
    }

    @Test
    void errorsAreSplunks() throws Exception {
        assertAnswer(send(EVENTS, "errors", " \n"), 400, "{\"text\":\"No data\",\"code\":5}");
        assertAnswer(send("/services/collector/raw", "errors", ""), 400, "{\"text\":\"No data\",\"code\":5}");
        assertAnswer(
                send(EVENTS + "?token=abc", "errors", "{\"event\":\"1\"}"),
                400,
                "{\"text\":\"Query string authorization is not enabled\",\"code\":16}");
        assertThat(JSON.readTree(send(EVENTS, "errors", "x".repeat(9 << 20)).body())
                        .get("code")
                        .asInt())
                .isEqualTo(27);
        assertThat(send("/services/collector/nosuch", "errors", "").statusCode())
                .isEqualTo(404);
        assertThat(gateway.request("GET", EVENTS, Map.of(), new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(gateway.records("errors", "logs")).isEmpty();
        gateway.limit("slow", Quota.NONE.withBytesPerSecond(OptionalLong.of(1000)));
        String body = "{\"event\":\"" + "x".repeat(5000) + "\"}";
        assertAnswer(send(EVENTS, "slow", body), 200, SUCCESS);
        HttpResponse<String> busy = send(EVENTS, "slow", body);
        assertThat(busy.statusCode()).isEqualTo(503);
        assertThat(busy.headers().firstValue("Retry-After")).isPresent();
        assertThat(busy.body()).startsWith("{\"text\":\"Server is busy\",\"code\":9,");
    }

    @Test
    void health() throws Exception {
        for (String path : new String[] {"/services/collector/health", "/services/collector/health/1.0"}) {
            assertAnswer(
                    gateway.request("GET", path, Map.of(), new byte[0]),
                    200,
                    "{\"text\":\"HEC is healthy\",\"code\":17}");
        }
    }

    @Test
    void acknowledgementsAreTrueForIdsThatWereGivenOut() throws Exception {
        String channel = "FE0ECFAD-13D5-401B-847D-77833BD77131";
        assertAnswer(
                send(EVENTS, "acks", "{\"event\":\"1\"}", CHANNEL, channel),
                200,
                "{\"text\":\"Success\",\"code\":0,\"ackId\":0}");
        assertAnswer(
                send("/services/collector/raw?channel=" + channel, "acks", "2"),
                200,
                "{\"text\":\"Success\",\"code\":0,\"ackId\":1}");
        // None for a request that was not taken whole
        JsonNode bad =
                JSON.readTree(send(EVENTS, "acks", "{}", CHANNEL, channel).body());
        assertThat(bad.has("ackId")).isFalse();
        assertAnswer(
                send("/services/collector/ack", "acks", "{\"acks\":[0,1,2,-1]}", CHANNEL, channel),
                200,
                "{\"acks\":{\"-1\":false,\"0\":true,\"1\":true,\"2\":false}}");
        assertAnswer(
                send("/services/collector/ack", "other", "{\"acks\":[0]}", CHANNEL, channel),
                200,
                "{\"acks\":{\"0\":false}}");
        assertAnswer(
                send("/services/collector/ack", "acks", "{\"acks\":[0]}"),
                400,
                "{\"text\":\"Data channel is missing\",\"code\":10}");
        assertThat(send("/services/collector/ack", "acks", "[]", CHANNEL, channel)
                        .statusCode())
                .isEqualTo(400);
        assertAnswer(
                send(EVENTS, "acks", "{\"event\":\"1\"}", CHANNEL, "x".repeat(129)),
                400,
                "{\"text\":\"Invalid data channel\",\"code\":11}");
    }
}
