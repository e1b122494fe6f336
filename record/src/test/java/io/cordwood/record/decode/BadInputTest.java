package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that no one should send: {@code docs/use/bad-input.md}, as far as one record's decoding decides it. */
class BadInputTest {
    private static final byte[] NONE = new byte[0];

    private static String tenant(byte[] key, byte[] header) throws UndecodableRecordException {
        return new RecordDecoder(DecodingPolicy.DEFAULT)
                .namedTenant(new KafkaRecord(5, 0, key, "{}".getBytes(UTF_8), header, NONE));
    }

    private static void assertNoTenant(byte[] key, byte[] header, Reason reason, String message) {
        assertThatThrownBy(() -> tenant(key, header))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void keysAndHeadersThatNameNoTenant() throws Exception {
        byte[] acme = "acme".getBytes(UTF_8);
        byte[] tenKilobytes = "k".repeat(10_000).getBytes(UTF_8);
        assertNoTenant(NONE, NONE, Reason.MISSING_TENANT, "cordwood.tenant");
        assertNoTenant(tenKilobytes, NONE, Reason.INVALID_TENANT, "10000 bytes");
        assertNoTenant(acme, tenKilobytes, Reason.INVALID_TENANT, "10000 bytes");
        assertNoTenant(new byte[] {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80}, NONE, Reason.INVALID_TENANT, "UTF-8");
        assertNoTenant(acme, new byte[] {(byte) 0xC0, (byte) 0x80}, Reason.INVALID_TENANT, "UTF-8");
        // The key does not matter where the header names the tenant.
        assertThat(tenant(tenKilobytes, acme)).isEqualTo("acme");
        assertThat(tenant(new byte[] {(byte) 0xFF}, acme)).isEqualTo("acme");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "../../etc",
                "a/b",
                "a\\b",
                "%00",
                "'",
                "\"",
                " ",
                "a ",
                "~61",
                "system",
                "\0",
                "a\0b",
                "\n",
                "\u001b",
                "\u007f",
                "Acme",
                "ACME",
                "😀",
                "مرحبا",
                "\u202ea",
                "e\u0301",
                "\u00e9",
                "\uffff"
            })
    void anyTextNamesATenantAndIsLeftAsItIs(String id) throws Exception {
        assertThat(tenant(id.getBytes(UTF_8), NONE)).isEqualTo(id);
        assertThat(tenant("other".getBytes(UTF_8), id.getBytes(UTF_8))).isEqualTo(id);
    }

    /** Each is kept as text, in {@code attributes} because {@code ts} is taken; the row has the append time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-01-01T00:00:00Z",
                "10000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "+2026-11-20T09:30:00Z",
                "2026-11-20T09:30:00+0100",
                "2026-11-20T09:30:00+01",
                "2026-11-20T24:00:00Z",
                "2026-11-20T23:59:61Z",
                "NaN",
                "1e400",
                "-62135596801",
                "-9223372036854775808"
            })
    void timesThatDoNotParseStay(String time) throws Exception {
        boolean number = !time.contains("T");
        String json = number ? "{\"ts\":" + time + "}" : "{\"ts\":\"" + time + "\"}";
        assertThat(new Decoding().add(json).rows().getFirst())
                .containsEntry("ts", Decoding.APPENDED)
                .containsEntry("attributes", Map.of("ts", time));
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1969-12-31T23:59:59.999999Z, -1",
        "0001-01-01T00:00:00Z, -62135596800000000",
        "2026-11-20T08:30:00.123456789z, 1795163400123456",
        "2026-11-20T09:30:00+01:00, 1795163400000000",
        "2026-11-20T08:30:00-00:00, 1795163400000000",
        "2026-11-20T08:30:00, 1795163400000000",
        "2016-12-31T23:59:60Z, 1483228800000000"
    })
    void timesOfThePastAreKept(String time, long micros) throws Exception {
        assertThat(new Decoding().add("{\"ts\":\"" + time + "\"}").rows().getFirst())
                .containsEntry("ts", micros)
                .doesNotContainKey("attributes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"2099-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59.999999999Z\"", "4070908800", "99999999999"})
    void timesFarAheadAreRestamped(String time) throws Exception {
        assertThat(new Decoding().add("{\"ts\":" + time + "}").rows().getFirst())
                .containsEntry("ts", Decoding.APPENDED)
                .containsEntry("attributes", Map.of("ts_original", time.replace("\"", "")));
    }

    @Test
    void rowsThatGetTheAppendTimeInsteadOfTheirOwnAreCounted() throws Exception {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        RowBuffer buffer = new RowBuffer();
        String lines = """
                {"ts": "yesterday"}
                {"ts": 1, "time": "noon"}
                {"msg": "no time of its own"}
                {"time": "noon"}
                {"ts": 4070908800}
                """;
        decoder.decode(Decoding.TENANT, record(1, lines), buffer);
        assertThat(decoder.unparsedTimes()).isEqualTo(2);
        assertThat(decoder.restamped()).isEqualTo(1);
        decoder.decode(Decoding.TENANT, record(2, "{\"ts\": 1}"), buffer);
        assertThat(decoder.unparsedTimes()).isZero();
        assertThat(decoder.restamped()).isZero();
    }

    private static KafkaRecord record(long offset, String lines) {
        return new KafkaRecord(
                offset,
                Decoding.APPENDED,
                Decoding.TENANT.getBytes(UTF_8),
                lines.getBytes(UTF_8),
                new byte[0],
                "application/x-ndjson".getBytes(UTF_8));
    }

    @Test
    void surrogatesThatStandAloneStayVisible() throws Exception {
        byte[] raw = "{\"s\":\"\u00ed\u00a0\u0080\",\"\u00ed\u00b0\u0080\":1}".getBytes(ISO_8859_1);
        assertThat(new Decoding().add(raw, "").members())
                .isEqualTo(Map.of("s", "\\xed\\xa0\\x80", "\\xed\\xb0\\x80", 1L));
        assertThat(new Decoding().add("{\"\\udfff\":\"\\ud800\\ud800\"}").members())
                .isEqualTo(Map.of("\\udfff", "\\ud800\\ud800"));
    }

    @Test
    void fieldThatChangesItsTypeWithEveryRecord() throws Exception {
        Decoding decoding = new Decoding();
        List<String> values = List.of("7", "\"a\"", "true", "1.5", "null", "[1]", "{\"x\":1}", "1e400", "NaN");
        for (String value : values) {
            decoding.add("{\"c\":" + value + "}");
        }
        assertThat(decoding.allMembers())
                .containsExactly(
                        Map.of("c", 7L),
                        Map.of("attributes", Map.of("c", "a")),
                        Map.of("attributes", Map.of("c", "true")),
                        Map.of("c.double", 1.5),
                        Map.of(),
                        Map.of("attributes", Map.of("c", "[1]")),
                        Map.of("c.x", 1L),
                        Map.of("attributes", Map.of("c", "1e400")),
                        Map.of("attributes", Map.of("c", "NaN")));
    }

    @Test
    void namesOf10KilobytesGoToAttributes() throws Exception {
        String name = "n".repeat(10_000);
        assertThat(new Decoding().add("{\"" + name + "\":1}").members())
                .isEqualTo(Map.of("attributes", Map.of(name, "1")));
    }

    private static String fields(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "\"f" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void fiveThousandFieldsInOneRecord() throws Exception {
        Map<String, Object> members = new Decoding().add(fields(0, 5000)).members();
        assertThat(members).hasSize(201);
        assertThat(members.get("attributes"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasSize(4800)
                .containsEntry("f4999", "4999");
    }

    @Test
    void hundredThousandFieldsOverManyRecords() throws Exception {
        Decoding decoding = new Decoding();
        for (int i = 0; i < 1000; i++) {
            decoding.add(fields(i * 100, (i + 1) * 100));
        }
        List<String> seen = new ArrayList<>();
        for (Map<String, Object> members : decoding.allMembers()) {
            members.forEach((name, value) -> {
                if (value instanceof Map<?, ?> attributes) {
                    attributes.forEach((key, text) -> seen.add(key + "=" + text));
                } else {
                    seen.add(name + "=" + value);
                }
            });
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 100_000)
                        .mapToObj(i -> "f%d=%d".formatted(i, i))
                        .toList());
        assertThat(decoding.table.columns()).hasSize(Tables.BASE.columns().size() + 200);
    }

    @Test
    void sixteenMegabytes() throws Exception {
        String text = "0123456789abcdef".repeat(1 << 20);
        assertThat(new Decoding().add("{\"message\":\"" + text + "\"}").members())
                .isEqualTo(Map.of("message", text));
        assertReason(text.getBytes(UTF_8), "", Reason.MALFORMED_JSON);
    }

    @Test
    void compressedBodies() throws Exception {
        byte[] zipped = gzip("{\"message\":\"x\"}".getBytes(UTF_8));
        assertReason(zipped, "application/json", Reason.MALFORMED_JSON);
        assertReason(zipped, "application/x-protobuf", Reason.MALFORMED_OTLP);
        assertReason(zipped, "", Reason.MALFORMED_JSON);
    }

    @Test
    void contentTypesThatDoNotFit() {
        byte[] json = "{\"message\":\"x\"}".getBytes(UTF_8);
        byte[] protobuf = {0x0A, 0x00};
        assertReason(json, "application/x-protobuf", Reason.MALFORMED_OTLP);
        assertReason(protobuf, "application/json", Reason.MALFORMED_JSON);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    private static void assertReason(byte[] value, String contentType, Reason reason) {
        assertThatThrownBy(() -> new Decoding().add(value, contentType))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
