package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.loki.PushRequest.Entry;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.decode.Decoding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** Push requests, and the rows that the ingest job makes of what they become. */
class PushTest {
    private static final long SECONDS = 1_795_168_800;

    private static PushedRows rows() {
        return new PushedRows(64 << 20, Memory.countedElsewhere());
    }

    private static PushedRows protobuf(PushRequest request) {
        PushedRows rows = rows();
        new ProtobufPush(request.toByteArray(), rows).read();
        return rows;
    }

    private static PushedRows json(String request) {
        PushedRows rows = rows();
        new JsonPush(request.getBytes(UTF_8), rows).read();
        return rows;
    }

    private static List<Map<String, Object>> members(PushedRows rows) throws Exception {
        return decoding(rows).allMembers();
    }

    private static Decoding decoding(PushedRows rows) throws Exception {
        Decoding decoding = new Decoding();
        for (Payload payload : rows.finish()) {
            decoding.add(payload.value(), payload.format().mediaType());
        }
        return decoding;
    }

    private static Entry entry(String line) {
        return new Entry(SECONDS, 0, line, Map.of());
    }

    @Example
    void labelsAndMetadataAreColumnsAndTheLineIsTheMessage() throws Exception {
        PushedRows rows = protobuf(new PushRequest()
                .stream(
                        "{app=\"web\", host=\"a\"}",
                        new Entry(SECONDS, 123_456_789, "one \"line\"\n\ttwo é", Map.of("trace_id", "7")),
                        new Entry(SECONDS, 123_456_000, "", Map.of()))
                        .stream("{}", new Entry(SECONDS + 1, 0, "bare", Map.of())));
        List<Map<String, Object>> all = decoding(rows).rows();
        assertThat(all.get(0))
                .containsEntry("ts", SECONDS * 1_000_000 + 123_456)
                .containsEntry("ts_nanos", 789L)
                .containsEntry("message", "one \"line\"\n\ttwo é")
                .containsEntry("app", "web")
                .containsEntry("host", "a")
                .containsEntry("trace_id", "7");
        assertThat(all.get(1))
                .containsEntry("ts", SECONDS * 1_000_000 + 123_456)
                .containsEntry("message", "")
                .doesNotContainKeys("ts_nanos", "trace_id");
        assertThat(all.get(2)).containsEntry("message", "bare").doesNotContainKey("app");
    }

    @Example
    void theSameInJson() throws Exception {
        PushedRows rows = json("""
            {"streams": [{"values": [["1795168800123456789", "one \\"line\\"\\n\\u00e9", {"trace\\u005fid": "7"}],
              ["1795168800123456000", "raw\ttab"]], "stream": {"app": "we\\"b", "host": "a"}}]}""");
        List<Map<String, Object>> all = decoding(rows).rows();
        assertThat(all.get(0))
                .containsEntry("ts", SECONDS * 1_000_000 + 123_456)
                .containsEntry("ts_nanos", 789L)
                .containsEntry("message", "one \"line\"\né")
                .containsEntry("app", "we\"b")
                .containsEntry("trace_id", "7");
        assertThat(all.get(1)).containsEntry("message", "raw\ttab").doesNotContainKey("ts_nanos");
    }

    @Example
    void theOlderJson() throws Exception {
        PushedRows rows = json("""
            {"streams":[{"labels":"{app=\\"web\\"}","entries":[{"ts":"2026-11-20T12:00:00.000000007+02:00","line":"x"}]}]}
            """);
        assertThat(decoding(rows).rows().getFirst())
                .containsEntry("ts", SECONDS * 1_000_000)
                .containsEntry("ts_nanos", 7L)
                .containsEntry("app", "web")
                .containsEntry("message", "x");
    }

    @Example
    void metadataIsStrongerThanALabelOfItsName() throws Exception {
        PushedRows rows = protobuf(new PushRequest()
                .stream(
                        "{App=\"label\", host=\"a\", zone=\"z\"}",
                        new Entry(SECONDS, 0, "1", Map.of("app", "metadata")),
                        new Entry(SECONDS, 0, "2", Map.of("host", "b", "zone", "y")),
                        entry("3")));
        assertThat(members(rows))
                .containsExactly(
                        Map.of("message", "1", "app", "metadata", "host", "a", "zone", "z"),
                        Map.of("message", "2", "app", "label", "host", "b", "zone", "y"),
                        Map.of("message", "3", "app", "label", "host", "a", "zone", "z"));
    }

    @Property
    void metadataHidesEveryLabelOfItsName(
            @ForAll @Size(max = 60)
                    List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> labels,
            @ForAll @Size(max = 5)
                    List<@StringLength(min = 1, max = 2) @CharRange(from = 'A', to = 'd') String> names) {
        List<String> own = labels.stream().filter(PushTest::isName).toList();
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < own.size(); i++) {
            text.append("%s=\"value %d.\",".formatted(own.get(i), i));
        }
        Map<String, String> metadata = new HashMap<>();
        names.stream().filter(PushTest::isName).forEach(name -> metadata.put(name, ""));
        PushedRows rows = protobuf(new PushRequest()
                .stream(text + "}", new Entry(SECONDS, 0, "1", metadata), new Entry(SECONDS, 0, "2", Map.of())));
        String[] lines = new String(rows.finish().getFirst().value(), UTF_8).split("\n", -1);
        for (int i = 0; i < own.size(); i++) {
            String name = own.get(i);
            assertThat(lines[0].contains("value %d.".formatted(i)))
                    .isEqualTo(metadata.keySet().stream().noneMatch(name::equalsIgnoreCase));
            assertThat(lines[1]).contains("value %d.".formatted(i));
        }
    }

    private static boolean isName(String text) {
        return text.chars().allMatch(Character::isLetter);
    }

    @Example
    void labelsWithTheNamesOfWhatARowHasGetAPrefix() throws Exception {
        PushedRows rows = protobuf(new PushRequest()
                .stream(
                        "{message=\"m\", ts=\"2001-01-01T00:00:00Z\"}",
                        new Entry(SECONDS, 5, "line", Map.of("ts_nanos", "n"))));
        assertThat(decoding(rows).rows().getFirst())
                .containsEntry("ts", SECONDS * 1_000_000)
                .containsEntry("message", "line")
                .containsEntry("label.message", "m")
                .containsEntry("label.ts", "2001-01-01T00:00:00Z")
                .containsEntry("ts_nanos", 5L)
                .containsEntry("label.ts_nanos", "n");
    }

    @Example
    void labelsWithEscapes() throws Exception {
        String labels =
                "{ a=\"q\\\"\\\\\\n\\t\\x41\\u00e9\\U0001F600\\101,}\" ,b='it\\'s \"\"', c=`raw\\n`, \"d.e\"=\"=\", }";
        assertThat(members(protobuf(new PushRequest().stream(labels, entry("x")))))
                .containsExactly(
                        Map.of("message", "x", "a", "q\"\\\n\tAé😀A,}", "b", "it's \"\"", "c", "raw\\n", "d.e", "="));
    }

    @Example
    void malformedLabelsCostTheirStream() throws Exception {
        for (String bad : List.of(
                "",
                "{",
                "{a}",
                "{a=}",
                "{a=\"b}",
                "{a=\"b\"",
                "{a=\"b\"}x",
                "{=\"b\"}",
                "{a=\"\\q\"}",
                "{a!=\"b\"}",
                "{a=\"\\ud800\"}",
                "{a=\"b\" c=\"d\"}",
                "a=\"b\"")) {
            PushedRows rows =
                    protobuf(new PushRequest().stream(bad, entry("1"), entry("2")).stream("{app=\"web\"}", entry("3")));
            assertThat(rows.rejected().count()).as(bad).isEqualTo(2);
            assertThat(rows.rejected().first().getFirst().why()).contains("in the labels after '");
            assertThat(members(rows)).containsExactly(Map.of("message", "3", "app", "web"));
        }
    }

    @Example
    void timesFarAway() throws Exception {
        PushedRows rows = protobuf(new PushRequest()
                .stream(
                        "{}",
                        new Entry(5, 0, "1", Map.of()),
                        new Entry(-5, 1_000, "2", Map.of()),
                        new Entry(Long.MAX_VALUE, 0, "3", Map.of())));
        assertThat(rows.rejected().count()).isZero();
        assertThat(decoding(rows).rows().stream()
                        .filter(row -> row.get("message").equals("1"))
                        .findFirst()
                        .orElseThrow())
                .containsEntry("ts", 5_000_000L);
        assertThat(decoding(rows).rows()).hasSize(3);
    }

    @Example
    void labelsDoNotMakeARequestGrowWithoutBound() {
        Entry[] entries = new Entry[1_000];
        Arrays.fill(entries, entry("x"));
        byte[] request = new PushRequest()
                .stream("{a=\"%s\"}".formatted("x".repeat(100_000)), entries).toByteArray();
        assertThatThrownBy(() -> new ProtobufPush(request, rows()).read())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("labels of its stream");
    }

    @Example
    void anEntryThatKafkaCannotHoldCostsOnlyItself() throws Exception {
        PushedRows rows = protobuf(new PushRequest().stream("{}", entry("x".repeat(17 << 20)), entry("small")));
        assertThat(rows.rejected().count()).isEqualTo(1);
        assertThat(members(rows)).containsExactly(Map.of("message", "small"));
    }

    @Property
    void anyLineArrivesAsItWas(@ForAll String line, @ForAll String label) throws Exception {
        String written = new String(line.getBytes(UTF_8), UTF_8);
        String value = new String(label.getBytes(UTF_8), UTF_8);
        String labels = "{l=\"%s\"}".formatted(value.replace("\\", "\\\\").replace("\"", "\\\""));
        PushedRows rows =
                protobuf(new PushRequest().stream(labels, new Entry(SECONDS, 0, written, Map.of("m", value))));
        assertThat(members(rows)).containsExactly(Map.of("message", written, "l", value, "m", value));
    }

    @Property
    void anyBytesAreTakenOrRefused(@ForAll byte[] bytes) {
        readAny(bytes, false);
        readAny(bytes, true);
    }

    @Property
    void damagedRequestsAreTakenOrRefused(@ForAll Random random, @ForAll boolean isJson) throws Exception {
        byte[] bytes = isJson
                ? "{\"streams\":[{\"stream\":{\"a\":\"b\"},\"values\":[[\"1795168800123456789\",\"x\",{\"m\":\"n\"}]]}]}"
                        .getBytes(UTF_8)
                : new PushRequest()
                        .stream("{a=\"b\", c=`d`}", new Entry(SECONDS, 9, "x", Map.of("m", "n")))
                                .toByteArray();
        for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] =
                    isJson ? (byte) "{}[]\",:0n\\-e".charAt(random.nextInt(12)) : (byte) random.nextInt();
        }
        PushedRows rows = readAny(bytes, isJson);
        List<Payload> payloads = rows.finish();
        if (!payloads.isEmpty()) {
            assertThat(decoding(rows).rows())
                    .hasSize(payloads.stream().mapToInt(Payload::rows).sum());
        }
    }

    private static PushedRows readAny(byte[] bytes, boolean isJson) {
        PushedRows rows = rows();
        try {
            if (isJson) {
                new JsonPush(bytes, rows).read();
            } else {
                new ProtobufPush(bytes, rows).read();
            }
        } catch (RefusedException e) {
            return rows();
        }
        return rows;
    }
}
