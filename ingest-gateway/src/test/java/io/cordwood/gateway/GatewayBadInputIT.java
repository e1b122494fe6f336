package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.cordwood.gateway.door.Packed;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bad input at each door that takes JSON: the protocol's own error, the good rows of the request as the protocol keeps
 * them, and no request beside it waits.
 */
class GatewayBadInputIT {
    private static final int DEPTH = 10_000;
    private static final int COLUMNS = 180_000;
    private static final int SLOW_CONNECTIONS = 200;
    private static final int BOMB_BYTES = 64 << 20;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static HttpResponse<String> post(JsonDoor door, String tenant, String encoding, byte[] body)
            throws Exception {
        Map<String, String> headers =
                new HashMap<>(Map.of("X-Scope-OrgID", tenant + door, "Content-Type", door.contentType()));
        if (!encoding.isEmpty()) {
            headers.put("Content-Encoding", encoding);
        }
        return gateway.request("POST", door.path(), headers, body);
    }

    /** Posts a body, and checks the status of the answer and the number of rows that come of it. */
    private static String assertAnswer(JsonDoor door, String tenant, byte[] body, int status, int rows)
            throws Exception {
        HttpResponse<String> response = post(door, tenant, "", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(gateway.rows(tenant + door, "logs")).hasSize(rows);
        return response.body();
    }

    private static void assertHealthy(JsonDoor door, String tenant) throws Exception {
        assertThat(post(door, tenant, "", door.body(door.good())).statusCode()).isIn(200, 204);
    }

    private static void assertNothingHeld() throws Exception {
        assertThat(gateway.request("GET", "/metrics", Map.of(), new byte[0]).body())
                .contains("cordwood_gateway_in_flight_bytes 0");
    }

    /** Loki's JSON and OTLP's are one document, which is no JSON then; Splunk takes what is before a bad event. */
    @ParameterizedTest
    @CsvSource({"PLAIN, 200, 2", "ELASTICSEARCH, 200, 2", "SPLUNK, 400, 1", "LOKI, 400, 0", "OTLP, 400, 0"})
    void valuesThatAreTooDeep(JsonDoor door, int status, int rows) throws Exception {
        String deep = door.json("a", "[".repeat(DEPTH) + "]".repeat(DEPTH));
        String answer = assertAnswer(door, "deep", door.body(door.good(), door.row(deep), door.good()), status, rows);
        if (door != JsonDoor.SPLUNK) {
            assertThat(answer).contains("more than 1000 levels deep");
        }
        String objects = "{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH);
        assertAnswer(
                door, "objects", door.body(door.good(), door.row(door.json("a", objects)), door.good()), status, rows);
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, 200, 2", "ELASTICSEARCH, 200, 2", "SPLUNK, 400, 1", "LOKI, 400, 0", "OTLP, 200, 2"})
    void valuesOfTheWrongType(JsonDoor door, int status, int rows) throws Exception {
        List<String> types = List.of("7", "\"text\"", "null", "true", "[[]]");
        for (String bad : types) {
            byte[] body = door.body(door.good(), door.bad(bad), door.good());
            assertAnswer(door, "type" + types.indexOf(bad), body, status, rows);
        }
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, 200, 2", "ELASTICSEARCH, 400, 0", "SPLUNK, 400, 2", "LOKI, 400, 0", "OTLP, 400, 0"})
    void bodiesThatAreCut(JsonDoor door, int status, int rows) throws Exception {
        byte[] body = door.body(door.good(), door.good(), door.good());
        assertAnswer(door, "cut", Arrays.copyOf(body, body.length - 5), status, rows);
        byte[] packed = Packed.gzip(body);
        HttpResponse<String> refused = post(door, "cut-gzip", "gzip", Arrays.copyOf(packed, packed.length - 5));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(gateway.records("cut-gzip" + door, "logs")).isEmpty();
    }

    /** A client that goes before its body is whole has shipped nothing. */
    @ParameterizedTest
    @EnumSource
    void connectionsThatBreak(JsonDoor door) throws Exception {
        byte[] body = door.body(door.good(), door.good());
        try (Socket socket = begin(door, "broken", body.length + 1)) {
            socket.getOutputStream().write(body);
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .doesNotStartWith("HTTP/1.1 2");
        }
        assertThat(gateway.records("broken" + door, "logs")).isEmpty();
        assertHealthy(door, "after");
    }

    private static Socket begin(JsonDoor door, String tenant, int length) throws Exception {
        Socket socket = new Socket(gateway.uri().getHost(), gateway.uri().getPort());
        String head =
                "POST %s HTTP/1.1\r\nHost: %s\r\nX-Scope-OrgID: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(
                                door.path(), gateway.uri().getAuthority(), tenant + door, door.contentType(), length);
        socket.getOutputStream().write(head.getBytes(ISO_8859_1));
        return socket;
    }

    /** Of the same tenant, too. */
    @ParameterizedTest
    @EnumSource
    void slowBodiesDelayNobody(JsonDoor door) throws Exception {
        byte[] body = door.body(door.good());
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW_CONNECTIONS; i++) {
                Socket socket = begin(door, "slow", body.length);
                socket.getOutputStream().write(body, 0, body.length / 2);
                slow.add(socket);
            }
            assertHealthy(door, "slow");
            assertHealthy(door, "other");
            Socket last = slow.getLast();
            last.getOutputStream().write(body, body.length / 2, body.length - body.length / 2);
            byte[] answer = new byte["HTTP/1.1 2".length()];
            assertThat(last.getInputStream().readNBytes(answer, 0, answer.length))
                    .isEqualTo(answer.length);
            assertThat(new String(answer, ISO_8859_1)).isEqualTo("HTTP/1.1 2");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        assertThat(gateway.rows("slow" + door, "logs")).hasSize(2);
    }

    /** All doors at once: it takes half a minute. */
    @Test
    void bodiesThatStopComingAreEnded() throws Exception {
        Map<JsonDoor, Socket> stopped = new EnumMap<>(JsonDoor.class);
        try {
            for (JsonDoor door : JsonDoor.values()) {
                byte[] body = door.body(door.good());
                Socket socket = begin(door, "stopped", body.length);
                socket.getOutputStream().write(body, 0, body.length / 2);
                stopped.put(door, socket);
            }
            for (JsonDoor door : JsonDoor.values()) {
                byte[] answer = stopped.get(door).getInputStream().readNBytes("HTTP/1.1 408".length());
                assertThat(new String(answer, ISO_8859_1))
                        .isEqualTo(door == JsonDoor.SPLUNK ? "HTTP/1.1 400" : "HTTP/1.1 408");
                assertThat(gateway.records("stopped" + door, "logs")).isEmpty();
            }
        } finally {
            for (Socket socket : stopped.values()) {
                socket.close();
            }
        }
        assertNothingHeld();
    }

    @ParameterizedTest
    @EnumSource
    void bombsEndAtTheBound(JsonDoor door) throws Exception {
        byte[] blanks = new byte[BOMB_BYTES];
        Arrays.fill(blanks, (byte) ' ');
        Map<String, byte[]> bombs =
                Map.of("gzip", Packed.gzip(blanks), "zstd", Zstd.compress(blanks), "deflate", Packed.deflate(blanks));
        for (Map.Entry<String, byte[]> bomb : bombs.entrySet()) {
            assertThat(post(door, "bomb", bomb.getKey(), bomb.getValue()).statusCode())
                    .as(bomb.getKey())
                    .isEqualTo(413);
            assertHealthy(door, "beside");
        }
        assertThat(gateway.records("bomb" + door, "logs")).isEmpty();
        assertNothingHeld();
    }

    /** What has no column of its own goes to {@code attributes}. */
    @ParameterizedTest
    @EnumSource
    void manyColumns(JsonDoor door) throws Exception {
        String members = IntStream.range(0, COLUMNS)
                .mapToObj(i -> door.member("k" + i, ""))
                .collect(joining(","));
        HttpResponse<String> response = post(door, "wide", "", door.body(door.good(), door.row(members), door.good()));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 204);
        assertThat(gateway.records("wide" + door, "logs")).hasSizeBetween(1, 3);
        assertHealthy(door, "wide");
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatAreNoUtf8(JsonDoor door) throws Exception {
        String member = door.member("a", "x\u00FFy\u00C3");
        HttpResponse<String> response = post(door, "utf8", "", door.body(door.good(), door.row(member), door.good()));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 204);
        assertThat(gateway.members("utf8" + door))
                .hasSize(3)
                .anySatisfy(row -> assertThat(row).containsEntry("a", "x\\xffy\\xc3"));
        String name = door.member("b\u00FF", "1");
        assertThat(post(door, "utf8-name", "", door.body(door.row(name))).statusCode())
                .isIn(200, 204);
        assertThat(gateway.rows("utf8-name" + door, "logs")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void namesThatComeTwice(JsonDoor door) throws Exception {
        String members = door.member("a", "1") + "," + door.member("a", "2") + "," + door.member("A", "3");
        HttpResponse<String> response = post(door, "twice", "", door.body(door.good(), door.row(members), door.good()));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 204);
        assertThat(gateway.members("twice" + door))
                .hasSize(3)
                .anySatisfy(row -> assertThat(row).containsEntry("a", "1"));
    }

    /** Whatever a time looks like, it costs no row: one that is not known gives the row the time of its arrival. */
    @ParameterizedTest
    @EnumSource
    void timesOfEveryForm(JsonDoor door) throws Exception {
        List<String> times = List.of(
                "2026-11-20T10:00:00Z",
                "2026-11-20T10:00:00.123456789+05:30",
                "2026-11-20 10:00:00",
                "2026-11-20",
                "20/Nov/2026:10:00:00 +0000",
                "Fri, 20 Nov 2026 10:00:00 GMT",
                "Nov 20 10:00:00",
                "1795168800",
                "1795168800000000000",
                "-1",
                "1e400",
                "0000-00-00T00:00:00Z",
                "9999-12-31T23:59:60Z",
                "+292278994-08-17T07:12:55.807Z",
                "now",
                "");
        String[] rows = times.stream()
                .map(time -> door.row(door.member("@timestamp", time)))
                .toArray(String[]::new);
        HttpResponse<String> response = post(door, "times", "", door.body(rows));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 204);
        assertThat(gateway.rows("times" + door, "logs"))
                .hasSameSizeAs(times)
                .allSatisfy(row -> assertThat(row).containsKey("ts"));
    }
}
