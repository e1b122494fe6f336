package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.gateway.splunk.HecEvents.BadEvent;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.Decoding;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HecEventsTest {
    private static final Set<String> STREAMS = Set.of("logs", "audit", "secret");

    private static HecRows rows() {
        return new HecRows(
                1 << 10,
                STREAMS::contains,
                stream -> {
                    if (stream.equals("secret")) {
                        throw new RefusedException(Reason.FORBIDDEN, "The key may not");
                    }
                },
                Memory.countedElsewhere());
    }

    private static String lines(HecRows rows, String stream) {
        StringBuilder lines = new StringBuilder();
        for (Payload payload : rows.payloads().getOrDefault(stream, List.of())) {
            lines.append(new String(payload.value(), UTF_8));
        }
        return lines.toString();
    }

    private static String taken(String body) {
        HecRows rows = rows();
        assertThat(new HecEvents(body.getBytes(UTF_8), rows, Origin.NONE).read())
                .isEmpty();
        return lines(rows, "logs");
    }

    private static void assertBad(String body, HecStatus status, int number, int taken) {
        HecRows rows = rows();
        assertThat(new HecEvents(body.getBytes(UTF_8), rows, Origin.NONE).read())
                .contains(new BadEvent(status, number));
        assertThat(lines(rows, "logs").lines()).hasSize(taken);
    }

    @Test
    void anEventIsTheMessageOrTheMembers() {
        assertThat(taken("{\"event\":\"a \\\"b\\\"\"}")).isEqualTo("{\"message\":\"a \\\"b\\\"\"}\n");
        assertThat(taken("{\"event\":{ \"a\" : 1, \"b\":{\"c\":[]} }}")).isEqualTo("{\"a\" : 1, \"b\":{\"c\":[]} }\n");
        assertThat(taken("{\"event\":{}}")).isEqualTo("{}\n");
        assertThat(taken("{\"event\":12.50}{\"event\":[\"x\"]}{\"event\":false}"))
                .isEqualTo("{\"message\":\"12.50\"}\n{\"message\":\"[\\\"x\\\"]\"}\n{\"message\":\"false\"}\n");
    }

    @Test
    void theEnvelopeFollowsTheEvent() {
        assertThat(taken("""
            {"time":"1426279439.123","host":"h","source":"s","sourcetype":"t","index":"main",
             "fields":{"device":"d","n":1},"event":{"host":"mine"},"unknown":[1]}"""))
                .isEqualTo("{\"host\":\"mine\",\"ts\":1426279439.123,\"host\":\"h\",\"source\":\"s\","
                        + "\"sourcetype\":\"t\",\"index\":\"main\",\"device\":\"d\",\"n\":1}\n");
        assertThat(taken("{\"event\":\"x\",\"time\":1426279439,\"host\":null,\"fields\":{}}"))
                .isEqualTo("{\"message\":\"x\",\"ts\":1426279439}\n");
    }

    @Test
    void anIndexMayBeAStream() {
        HecRows rows = rows();
        Origin origin = new Origin(Optional.of("q"), Optional.empty(), Optional.empty(), Optional.of("audit"));
        byte[] body = "{\"event\":\"a\"}{\"event\":\"b\",\"index\":\"main\",\"host\":\"h\"}".getBytes(UTF_8);
        assertThat(new HecEvents(body, rows, origin).read()).isEmpty();
        assertThat(lines(rows, "audit")).isEqualTo("{\"message\":\"a\",\"host\":\"q\"}\n");
        assertThat(lines(rows, "logs")).isEqualTo("{\"message\":\"b\",\"host\":\"h\",\"index\":\"main\"}\n");
    }

    @Test
    void eventsFollowEachOtherOrStandInAnArray() {
        String three = "{\"message\":\"1\"}\n{\"message\":\"2\"}\n{\"message\":\"3\"}\n";
        assertThat(taken("{\"event\":\"1\"}{\"event\":\"2\"}\r\n\n {\"event\":\"3\"}\n"))
                .isEqualTo(three);
        assertThat(taken(" [{\"event\":\"1\"},\n{\"event\":\"2\"} , {\"event\":\"3\"}]"))
                .isEqualTo(three);
        assertThat(taken("[{\"event\":\"1\"}][][{\"event\":\"2\"},{\"event\":\"3\"}]"))
                .isEqualTo(three);
        assertThat(taken("")).isEmpty();
    }

    @Test
    void eventsBeforeTheFirstBadOneAreTaken() {
        String good = "{\"event\":\"x\"}";
        assertBad(good + "{\"event\":\"}" + good, HecStatus.INVALID_FORMAT, 1, 1);
        assertBad(good + good + "{\"host\":\"h\"}" + good, HecStatus.EVENT_REQUIRED, 2, 2);
        assertBad(good + "{\"event\":null}", HecStatus.EVENT_REQUIRED, 1, 1);
        assertBad("{}", HecStatus.EVENT_REQUIRED, 0, 0);
        assertBad(good + "{\"event\":\" \"}", HecStatus.EVENT_BLANK, 1, 1);
        assertBad(good + "{\"event\":\"x\",\"fields\":[1]}", HecStatus.INVALID_FIELDS, 1, 1);
        assertBad(good + "{\"event\":\"x\",\"time\":\"now\"}", HecStatus.INVALID_FORMAT, 1, 1);
        assertBad(good + "{\"event\":\"x\",\"time\":\"01\"}", HecStatus.INVALID_FORMAT, 1, 1);
        assertBad(good + "{\"event\":\"x\",\"time\":true}", HecStatus.INVALID_FORMAT, 1, 1);
        assertBad(good + "{\"event\":\"x\",\"index\":\"secret\"}", HecStatus.INCORRECT_INDEX, 1, 1);
        assertBad("[" + good + "," + good, HecStatus.INVALID_FORMAT, 2, 2);
        assertBad("[" + good + good, HecStatus.INVALID_FORMAT, 1, 1);
        assertBad("plain words", HecStatus.INVALID_FORMAT, 0, 0);
    }

    @Test
    void linesOfTextAreMessages() {
        HecRows rows = rows();
        Origin origin = new Origin(Optional.of("h"), Optional.of("s"), Optional.of("t"), Optional.of("main"));
        new RawLines(rows, origin).read("one \"1\"\r\n\n \t\n{\"two\":2}".getBytes(UTF_8));
        String more = ",\"host\":\"h\",\"source\":\"s\",\"sourcetype\":\"t\",\"index\":\"main\"}\n";
        assertThat(lines(rows, "logs"))
                .isEqualTo("{\"message\":\"one \\\"1\\\"\"" + more + "{\"message\":\"{\\\"two\\\":2}\"" + more);
    }

    /** Else a small body could become many times its size in memory. */
    @Test
    void linesThatAreAllAddressAreRefused() {
        Origin origin =
                new Origin(Optional.of("h".repeat(8_000)), Optional.empty(), Optional.empty(), Optional.empty());
        assertThatThrownBy(() ->
                        new RawLines(rows(), origin).read("a\n".repeat(512).getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    @Provide
    Arbitrary<String> bodies() {
        return Arbitraries.of(
                        "{\"event\":\"x\"}",
                        "{\"event\":{\"a\":1},\"fields\":{\"a\":2},\"time\":1.5,\"host\":\"h\"}",
                        "{\"event\":{},\"index\":{\"a\":1},\"host\":[1]}",
                        "{\"event\":\"a\nb\",\"time\":\"-1\",\"source\":7}",
                        "{\"event\":[\"\\\\\"],\"fields\":{ }}",
                        "{\"event\":{\"ts\":0},\"time\":1e400}",
                        "{\"event\":",
                        "{\"a\":{}}",
                        "[",
                        "]",
                        ",",
                        "\n",
                        "}",
                        "\"",
                        "\u0000")
                .list()
                .ofMaxSize(10)
                .map(parts -> String.join("", parts));
    }

    /** Each event before the first bad one is a row to the ingest job. */
    @Property
    void whatIsTakenIsARow(@ForAll("bodies") String body) throws UndecodableRecordException {
        assertTaken(body.getBytes(UTF_8));
    }

    @Property
    void anyBytesAreTakenOrRefused(@ForAll byte[] body) throws UndecodableRecordException {
        assertTaken(body);
    }

    @Property
    void anyLinesAreTaken(@ForAll byte[] body) throws UndecodableRecordException {
        HecRows rows = rows();
        new RawLines(rows, Origin.NONE).read(body);
        decoded(rows);
    }

    private static void assertTaken(byte[] body) throws UndecodableRecordException {
        HecRows rows = rows();
        Optional<BadEvent> bad = new HecEvents(body, rows, Origin.NONE).read();
        int decoded = decoded(rows);
        if (bad.isPresent()) {
            assertThat(decoded).isEqualTo(bad.get().number());
        }
    }

    /** The number of rows, which is that of the lines. */
    private static int decoded(HecRows rows) throws UndecodableRecordException {
        Decoding decoding = new Decoding();
        long lines = 0;
        for (List<Payload> payloads : rows.payloads().values()) {
            for (Payload payload : payloads) {
                decoding.add(payload.value(), payload.format().mediaType());
                lines += payload.rows();
            }
        }
        assertThat((long) decoding.rows().size()).isEqualTo(lines);
        return (int) lines;
    }
}
