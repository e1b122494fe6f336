package io.cordwood.ingest.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records as no one should send them, each with what must become of it. */
final class BadRecords {
    /** Header that names the tenant. */
    static final String TENANT_HEADER = "cordwood.tenant";

    private static final String TENANT = "awkward";
    private static final byte[] NONE = null;

    /** A request with one log record whose body is {@code x}, in protobuf. */
    private static final byte[] OTLP = HexFormat.of().parseHex("0a0d120b1209" + "2a07" + "0a0568656c6c6f");

    private final List<BadRecord> records = new ArrayList<>();
    /** Whose rows come next: a table takes 200 columns, so those of one kind must not use up those of another. */
    private String tenant = TENANT;

    private BadRecords() {}

    /**
     * A record and its fate.
     *
     * @param what it is
     * @param tenantId whose rows it becomes
     * @param reason of its dead letter; empty if it becomes rows
     * @param rows how many
     */
    record BadRecord(
            String what,
            byte[] key,
            byte[] tenantHeader,
            String contentType,
            byte[] value,
            String tenantId,
            String reason,
            int rows) {
        ProducerRecord<byte[], byte[]> to(String topic) {
            ProducerRecord<byte[], byte[]> result = new ProducerRecord<>(topic, 0, key, value);
            if (tenantHeader != null) {
                result.headers().add(TENANT_HEADER, tenantHeader);
            }
            if (!contentType.isEmpty()) {
                result.headers().add("content-type", contentType.getBytes(UTF_8));
            }
            return result;
        }
    }

    /** All of them, in an order in which they would disturb one another if they could. */
    static List<BadRecord> all() {
        BadRecords all = new BadRecords();
        all.addTenants();
        all.addValues();
        all.addNames();
        all.addTimes();
        all.addRequests();
        return List.copyOf(all.records);
    }

    private void addTenants() {
        byte[] value = "{\"message\":\"hello\"}".getBytes(UTF_8);
        byte[] long10k = "k".repeat(10_000).getBytes(UTF_8);
        byte[] notUtf8 = {'a', (byte) 0xFF};
        refused("no key", NONE, NONE, value, "MISSING_TENANT");
        refused("empty key", new byte[0], NONE, value, "MISSING_TENANT");
        refused("empty header, no key", NONE, new byte[0], value, "MISSING_TENANT");
        refused("key of 10 KB", long10k, NONE, value, "INVALID_TENANT");
        refused("header of 10 KB", TENANT.getBytes(UTF_8), long10k, value, "INVALID_TENANT");
        refused("key of 129 bytes", "k".repeat(129).getBytes(UTF_8), NONE, value, "INVALID_TENANT");
        refused("key is not UTF-8", notUtf8, NONE, value, "INVALID_TENANT");
        refused("header is not UTF-8", TENANT.getBytes(UTF_8), notUtf8, value, "INVALID_TENANT");
        row("empty header, key", "from-key", new byte[0], value, "from-key");
        row("header and a key of 10 KB", "k".repeat(10_000), "from-header".getBytes(UTF_8), value, "from-header");
        for (String tenant : tenants()) {
            row("tenant " + tenant, tenant, NONE, value, tenant);
        }
    }

    /** Ids that a file system, SQL, a URL or a database may take for something else. */
    static List<String> tenants() {
        List<String> tenants = new ArrayList<>(List.of(
                "Acme",
                "acme",
                ".",
                "..",
                "../../etc",
                "a/b",
                "a\\b",
                "a.b",
                "a%2eb",
                "%00",
                "'",
                "\"",
                "`; DROP TABLE x; --",
                "a b ",
                " ",
                "~",
                "~~a",
                "~61",
                "all_tenants",
                "system",
                "information_schema",
                "\0",
                "\n\r\t",
                "\u001b[31m",
                "\u007f",
                "😀",
                "مرحبا",
                "\u202eabc",
                "e\u0301",
                "\u00e9",
                "\uffff",
                "null",
                "-",
                "#?&=",
                "x".repeat(128),
                "X".repeat(128)));
        tenants.add("😀".repeat(32));
        return tenants;
    }

    private void addValues() {
        refused("no value (tombstone)", null, "EMPTY_VALUE");
        refused("empty value", "", "EMPTY_VALUE");
        refused("not JSON", "Nov 20 12:00:00 host app: hello", "MALFORMED_JSON");
        refused("array", "[{\"message\":\"x\"}]", "MALFORMED_JSON");
        refused("number", "17", "MALFORMED_JSON");
        refused("string", "\"x\"", "MALFORMED_JSON");
        refused("null literal", "null", "MALFORMED_JSON");
        refused("two objects", "{\"a\":1}\n{\"a\":2}", "MALFORMED_JSON");
        refused("truncated", "{\"message\":\"hel", "MALFORMED_JSON");
        refused("10 MB that are not JSON", "x".repeat(10 << 20), "MALFORMED_JSON");
        refused("nested 100,000 deep", "{\"a\":".repeat(100_000), "TOO_DEEP");
        refused("grows past 64 MB when flattened", growing(), "TOO_LARGE");
        row("10 MB of text", "{\"message\":\"" + "lorem ipsum ".repeat(870_000) + "\"}");
        row("10 MB keyword", "{\"word\":\"" + "x".repeat(10 << 20) + "\"}");
        row("16 MB", "{\"message\":\"" + "0123456789abcde ".repeat((1 << 20) - 8) + "\"}");
        row("nested 500 deep", "{\"a\":".repeat(500) + "1" + "}".repeat(500));
        row("array nested 500 deep", "{\"deep\":" + "[".repeat(500) + "]".repeat(500) + "}");
        tenant = "wide";
        row("5,000 fields", "{" + fields("wide", 0, 5000) + "}");
        tenant = "many";
        for (int i = 0; i < 100; i++) {
            row("100,000 fields, part " + i, "{" + fields("many", i * 1000, (i + 1) * 1000) + "}");
        }
        tenant = TENANT;
        row("no members", "{}");
        row("duplicate members", "{\"d\":1,\"d\":\"x\",\"D\":true,\"d\":null}");
        row("invalid UTF-8", "{\"v\":\"a\u00ffb\",\"n\u00ff\":1,\"l\":[\"\u00c0\u0080\"]}".getBytes(ISO_8859_1));
        row("NUL", "{\"nul\":\"a\0b\\u0000c\",\"n\\u0000m\":1}");
        row("lone surrogates, escaped", "{\"s\":\"\\ud800\",\"t\":\"\\udc00x\",\"\\ud800\":1}");
        row("lone surrogates, raw", "{\"s\":\"\u00ed\u00a0\u0080\"}".getBytes(ISO_8859_1));
        row("beyond 64 bits", "{\"n\":9223372036854775808,\"m\":-1e30,\"big\":" + "9".repeat(10_000) + "}");
        row("too large for a double", "{\"huge\":1e400,\"h\":-1e999999999999}");
        row("no numbers", "{\"nan\":NaN,\"inf\":Infinity,\"ninf\":-Infinity}");
        for (String value :
                List.of("1", "\"a\"", "true", "1.5", "null", "[1]", "{\"x\":1}", "1e400", "18446744073709551616")) {
            row("field of changing type: " + value, "{\"changing\":" + value + "}");
        }
    }

    private static String growing() {
        return "{\"" + "n".repeat(100_000) + "\":{" + fields("m", 0, 100_000) + "}}";
    }

    private static String fields(String prefix, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "\"" + prefix + i + "\":" + i)
                .collect(Collectors.joining(","));
    }

    private void addNames() {
        tenant = "names";
        row("names that differ in case", "{\"Case\":1,\"case\":2,\"CASE\":\"x\"}");
        row("reserved names", """
                {"tenant_id":"x","attributes":1,"attributes.k":2,"attributes.key":3,"_kafka_offset":-1,"$path":"p","":0,
                 "ts_day":1,"ts":"no time","day":2,"$tier":"hot","key":1,"key_value":2}""");
        row("names of Iceberg", "{\"ts_day\":\"x\",\"_file\":1,\"_pos\":2,\"_spec_id\":3,\"partition\":4}");
        row("name of 10 KB", "{\"" + "n".repeat(10_000) + "\":1}");
        row("name of 512 bytes", "{\"" + "ä".repeat(256) + "\":1}");
        for (String name : names()) {
            row("name " + name, "{\"" + name + "\":\"value\"}");
        }
    }

    /** Names, as JSON, that SQL, Avro or Parquet may take for something else. */
    static List<String> names() {
        return List.of(
                ".",
                "..",
                "a.",
                ".a",
                "a..b",
                "a.b.c",
                "\\\"",
                "'",
                "`",
                "a b",
                " ",
                "%",
                "/",
                "\\\\",
                "😀",
                "مرحبا",
                "\\u202ea",
                "İ",
                "ΑΣ",
                "\\u0000",
                "\\n",
                "\\ud800",
                "1",
                "-",
                "select",
                "null",
                "true",
                "*",
                "a-b",
                "a_x20b",
                "\\uffff",
                "\\u2028",
                "\\u00a0",
                "\\u0085",
                "element",
                "x.double",
                "list.element");
    }

    private void addTimes() {
        tenant = "times";
        for (String time : List.of(
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "2099-01-01T00:00:00Z",
                "0001-01-01T00:00:00Z",
                "0000-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "10000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "2026-11-20T09:30:00.123456789z",
                "2026-11-20T09:30:00+01:00",
                "2026-11-20T09:30:00+0100",
                "2026-11-20T09:30:00+01",
                "2026-11-20T09:30:00-00:00",
                "2026-11-20 09:30:00,5",
                "2016-12-31T23:59:60Z",
                "2026-11-20T24:00:00Z")) {
            row("time " + time, "{\"ts\":\"" + time + "\",\"message\":\"time\"}");
        }
        for (String time : List.of(
                "0",
                "-1",
                "-62135596800",
                "-62135596801",
                "4070908800",
                "1795168800123456789",
                "9223372036854775807",
                "-9223372036854775808",
                "1e400",
                "NaN")) {
            row("time " + time, "{\"ts\":" + time + ",\"message\":\"time\"}");
        }
    }

    private void addRequests() {
        byte[] json = "{\"message\":\"x\"}".getBytes(UTF_8);
        byte[] jsonRequest =
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"stringValue\":\"x\"}},{}]}]}]}"
                        .getBytes(UTF_8);
        request("OTLP", "application/x-protobuf", OTLP, "", 1);
        request("OTLP, type unknown", "text/plain", OTLP, "", 1);
        request("OTLP in JSON", "application/json", jsonRequest, "", 2);
        request("OTLP truncated", "application/x-protobuf", Arrays.copyOf(OTLP, 10), "MALFORMED_OTLP", 0);
        request("OTLP truncated, type unknown", "", Arrays.copyOf(OTLP, 10), "MALFORMED_OTLP", 0);
        request("OTLP in JSON truncated", "", Arrays.copyOf(jsonRequest, 40), "MALFORMED_JSON", 0);
        request("OTLP compressed", "application/x-protobuf", gzip(OTLP), "MALFORMED_OTLP", 0);
        request("OTLP compressed, type unknown", "", gzip(OTLP), "MALFORMED_JSON", 0);
        request("JSON compressed", "application/json", gzip(json), "MALFORMED_JSON", 0);
        request("JSON said to be protobuf", "application/x-protobuf", json, "MALFORMED_OTLP", 0);
        request("protobuf said to be JSON", "application/json", OTLP, "MALFORMED_JSON", 0);
        request("OTLP of 10 MB", "", huge(), "", 5000);
        request("OTLP without records", "application/x-protobuf", new byte[0], "", 0);
    }

    /** One request with 5,000 log records of 2 KB. */
    private static byte[] huge() {
        String body = "{\"body\":{\"stringValue\":\"" + "lorem ipsum ".repeat(170) + "\"}}";
        return ("{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":["
                        + String.join(",", java.util.Collections.nCopies(5000, body)) + "]}]}]}")
                .getBytes(UTF_8);
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void row(String what, String value) {
        row(what, value.getBytes(UTF_8));
    }

    private void row(String what, byte[] value) {
        row(what, tenant, NONE, value, tenant);
    }

    private void row(String what, String key, byte[] tenantHeader, byte[] value, String tenantId) {
        records.add(new BadRecord(what, key.getBytes(UTF_8), tenantHeader, "", value, tenantId, "", 1));
    }

    private void refused(String what, String value, String reason) {
        refused(what, TENANT.getBytes(UTF_8), NONE, value == null ? null : value.getBytes(UTF_8), reason);
    }

    private void refused(String what, byte[] key, byte[] tenantHeader, byte[] value, String reason) {
        records.add(new BadRecord(what, key, tenantHeader, "", value, "", reason, 0));
    }

    private void request(String what, String contentType, byte[] value, String reason, int rows) {
        records.add(new BadRecord(what, TENANT.getBytes(UTF_8), NONE, contentType, value, TENANT, reason, rows));
    }
}
