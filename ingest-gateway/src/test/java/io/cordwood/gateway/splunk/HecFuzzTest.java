package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.gateway.splunk.HecEvents.BadEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes to the collector: each event before the first bad one is a row, and so is each line. */
class HecFuzzTest {
    private static final Set<String> STREAMS = Set.of("logs", "audit", "secret");
    private static final Origin ORIGIN =
            new Origin(Optional.of("h\"\n"), Optional.of(""), Optional.of("\u0000"), Optional.of("main"));
    private static final String GOOD = "{\"good\":1.50}";
    /** Rows are larger than events at most by this, and by {@link #GROWTH_BYTES}. */
    private static final long MAX_GROWTH = 16;

    private static final long GROWTH_BYTES = 1 << 20;

    private static HecRows rows(byte[] body) {
        return new HecRows(
                body.length,
                STREAMS::contains,
                stream -> {
                    if (stream.equals("secret")) {
                        throw new RefusedException(Reason.FORBIDDEN, "The key may not");
                    }
                },
                Memory.countedElsewhere());
    }

    private static List<Payload> payloads(HecRows rows) {
        return rows.payloads().values().stream().flatMap(List::stream).toList();
    }

    static Stream<byte[]> events() {
        return Stream.of(
                        """
                        {"time":"1426279439.123","host":"h","source":"s","sourcetype":"t","index":"main",
                         "fields":{"device":"d","n":1},"event":{"host":"mine"},"unknown":[1]}""",
                        "{\"event\":12.50}{\"event\":[\"x\"]}{\"event\":false}",
                        " [{\"event\":\"1\"},\n{\"event\":\"2\",\"index\":\"audit\"} , {\"event\":{ \"a\" : 1 },\"time\":1.5}][]",
                        "{\"event\":\"x\",\"index\":\"secret\"}",
                        "{\"event\":{\"ts\":0},\"time\":1e400,\"index\":{\"a\":1},\"host\":[1],\"source\":null}")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("events")
    @FuzzTest
    void events(byte[] garbage) throws Exception {
        HecRows alone = rows(garbage);
        requireRows(new HecEvents(garbage, alone, ORIGIN).read(), alone, garbage);
        byte[] body = ShippedRows.join(("{\"event\":" + GOOD + "}").getBytes(UTF_8), garbage);
        HecRows rows = rows(body);
        requireRows(new HecEvents(body, rows, Origin.NONE).read(), rows, body);
        assertThat(ShippedRows.lines(rows.payloads().get("logs"))).startsWith(GOOD);
    }

    private static void requireRows(Optional<BadEvent> bad, HecRows rows, byte[] body) throws Exception {
        List<Payload> payloads = payloads(rows);
        int taken = ShippedRows.requireReadable(payloads);
        assertThat(taken).isLessThanOrEqualTo(body.length);
        assertThat(ShippedRows.bytes(payloads)).isLessThanOrEqualTo(MAX_GROWTH * body.length + GROWTH_BYTES);
        bad.ifPresent(event -> assertThat(event.number()).isEqualTo(taken));
    }

    static Stream<byte[]> lines() {
        return Stream.of("one \"1\"\r\n\n \t\n{\"two\":2}", "\r\r\n\\\u0000").map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("lines")
    @FuzzTest
    void raw(byte[] garbage) throws Exception {
        byte[] body = ShippedRows.join("good\n".getBytes(UTF_8), garbage, "\ngood".getBytes(UTF_8));
        HecRows rows = rows(body);
        new RawLines(rows, Origin.NONE).read(body);
        List<Payload> payloads = payloads(rows);
        assertThat(ShippedRows.requireReadable(payloads)).isEqualTo((int) Stream.of(
                        new String(body, ISO_8859_1).split("\n", -1))
                .filter(line -> line.chars().anyMatch(c -> c != ' ' && c != '\t' && c != '\r'))
                .count());
        assertThat(ShippedRows.lines(payloads))
                .startsWith("{\"message\":\"good\"}")
                .endsWith("{\"message\":\"good\"}");
        HecRows withOrigin = rows(body);
        new RawLines(withOrigin, ORIGIN).read(body);
        assertThat(ShippedRows.requireReadable(payloads(withOrigin)))
                .isEqualTo(payloads.stream().mapToInt(Payload::rows).sum());
    }

    static Stream<byte[]> acks() {
        return Stream.of("{\"acks\":[0,1,2,-1]}", "[]", "{\"acks\":[99999999999999999999]}")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("acks")
    @FuzzTest
    void acks(byte[] body) {
        try {
            assertThat(HecAcks.ids(body)).hasSizeLessThanOrEqualTo(body.length);
        } catch (RefusedException e) {
            assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.TOO_LARGE);
        }
    }
}
