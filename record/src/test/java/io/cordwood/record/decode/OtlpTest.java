package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.assemble.DayRows;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpTest {
    private static final long NANOS = 1_795_168_000_123_456_789L;

    private static AnyValue text(String value) {
        return AnyValue.newBuilder().setStringValue(value).build();
    }

    private static KeyValue attribute(String key, AnyValue value) {
        return KeyValue.newBuilder().setKey(key).setValue(value).build();
    }

    private static ByteString octets(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteString.copyFrom(bytes);
    }

    private static LogRecord fullRecord() {
        return LogRecord.newBuilder()
                .setTimeUnixNano(NANOS)
                .setObservedTimeUnixNano(NANOS + 1)
                .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_WARN)
                .setSeverityText("WARN")
                .setBody(text("disk \"full\" \\ \n\u0001 ä 😀"))
                .addAttributes(attribute(
                        "HTTP.Status", AnyValue.newBuilder().setIntValue(-503).build()))
                .addAttributes(attribute(
                        "ratio", AnyValue.newBuilder().setDoubleValue(0.25).build()))
                .addAttributes(attribute(
                        "ok", AnyValue.newBuilder().setBoolValue(false).build()))
                .addAttributes(attribute(
                        "raw",
                        AnyValue.newBuilder().setBytesValue(octets(0, 255)).build()))
                .addAttributes(attribute("none", AnyValue.getDefaultInstance()))
                .addAttributes(attribute(
                        "nan", AnyValue.newBuilder().setDoubleValue(Double.NaN).build()))
                .addAttributes(attribute(
                        "list",
                        array(text("a\"b"), AnyValue.newBuilder().setIntValue(1).build())))
                .addAttributes(attribute("map", map(attribute("k", text("v")), attribute("e", map()))))
                .addAttributes(attribute("level", text("second")))
                .addAttributes(attribute("ts", text("mine")))
                .setDroppedAttributesCount(2)
                .setFlags(1)
                .setTraceId(octets(0xAB, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
                .setSpanId(octets(0xCD, 1, 2, 3, 4, 5, 6, 7))
                .setEventName("disk.full")
                .build();
    }

    private static AnyValue array(AnyValue... values) {
        return AnyValue.newBuilder()
                .setArrayValue(ArrayValue.newBuilder().addAllValues(List.of(values)))
                .build();
    }

    private static AnyValue map(KeyValue... values) {
        return AnyValue.newBuilder()
                .setKvlistValue(KeyValueList.newBuilder().addAllValues(List.of(values)))
                .build();
    }

    private static ExportLogsServiceRequest request(LogRecord... records) {
        return ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(ResourceLogs.newBuilder()
                        .setResource(Resource.newBuilder()
                                .addAttributes(attribute("service.name", text("shop")))
                                .addAttributes(attribute("host", map(attribute("id", text("h1"))))))
                        .addScopeLogs(ScopeLogs.newBuilder()
                                .setScope(InstrumentationScope.newBuilder()
                                        .setName("lib")
                                        .setVersion("1.2")
                                        .addAttributes(attribute("x", text("y"))))
                                .addAllLogRecords(List.of(records))
                                .setSchemaUrl("https://example.com/1"))
                        .setSchemaUrl("https://example.com/0"))
                .build();
    }

    private static Map<String, Object> fullRow() {
        Map<String, Object> row = new TreeMap<>();
        row.put("message", "disk \"full\" \\ \n\u0001 ä 😀");
        row.put("level", "WARN");
        row.put("severity_number", 13L);
        row.put("http.status", -503L);
        row.put("ratio", 0.25);
        row.put("ok", false);
        row.put("raw", "AP8=");
        row.put("list", "[\"a\\\"b\",1]");
        row.put("map.k", "v");
        row.put("dropped_attributes_count", 2L);
        row.put("flags", 1L);
        row.put("trace_id", "ab0102030405060708090a0b0c0d0e0f");
        row.put("span_id", "cd01020304050607");
        row.put("event_name", "disk.full");
        row.put("observed_time_unix_nano", NANOS + 1);
        row.put("resource.service.name", "shop");
        row.put("resource.host.id", "h1");
        row.put("resource.schema_url", "https://example.com/0");
        row.put("scope.name", "lib");
        row.put("scope.version", "1.2");
        row.put("scope.x", "y");
        row.put("scope.schema_url", "https://example.com/1");
        row.put("attributes", Map.of("level", "second", "ts", "mine", "nan", "NaN", "map.e", "{}"));
        return row;
    }

    private static AnyValue integer(long value) {
        return AnyValue.newBuilder().setIntValue(value).build();
    }

    /** A request with so many empty log records of a resource. */
    private static byte[] rowsOfResource(List<KeyValue> attributes, int records) {
        return ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(ResourceLogs.newBuilder()
                        .setResource(Resource.newBuilder().addAllAttributes(attributes))
                        .addScopeLogs(ScopeLogs.newBuilder()
                                .addAllLogRecords(Collections.nCopies(records, LogRecord.getDefaultInstance()))))
                .build()
                .toByteArray();
    }

    /** More than the names that are kept from one row to the next. */
    @Test
    void eachRowHasAllAttributesOfAResourceOfMany() throws Exception {
        List<KeyValue> attributes = IntStream.range(0, 10_000)
                .mapToObj(i -> attribute(
                        "N" + i,
                        switch (i % 4) {
                            case 0 -> integer(i);
                            case 1 -> text("value " + i);
                            case 2 ->
                                AnyValue.newBuilder().setBoolValue(i % 3 == 0).build();
                            default -> map();
                        }))
                .toList();
        Map<String, Object> expected = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            expected.put(
                    "resource.n" + i,
                    switch (i % 4) {
                        case 0 -> (long) i;
                        case 1 -> "value " + i;
                        case 2 -> i % 3 == 0;
                        default -> "{}";
                    });
        }
        List<Map<String, Object>> rows = new Decoding()
                .add(rowsOfResource(attributes, 3), "application/x-protobuf")
                .allMembers();
        assertThat(rows).hasSize(3);
        for (Map<String, Object> row : rows) {
            Map<String, Object> all = new TreeMap<>(row);
            if (all.remove(LogBlockSchema.ATTRIBUTES) instanceof Map<?, ?> others) {
                others.forEach((name, value) -> all.put(((String) name).toLowerCase(Locale.ROOT), value));
            }
            assertThat(all.keySet()).isEqualTo(expected.keySet());
            all.forEach((name, value) -> assertThat(value.toString())
                    .as(name)
                    .isEqualTo(expected.get(name).toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"integer", "bool", "text", "empty"})
    void aResourceThatWouldFillTheMemoryWithItsCopiesIsRefused(String kind) {
        AnyValue value = switch (kind) {
            case "integer" -> integer(7);
            case "bool" -> AnyValue.newBuilder().setBoolValue(true).build();
            case "text" -> text("x");
            default -> map();
        };
        List<KeyValue> attributes = IntStream.range(0, 2_000)
                .mapToObj(i -> attribute("n" + i, value))
                .toList();
        // Each row takes some 50 KB, and the limit is 64 MB and 16 times the request
        assertThatThrownBy(() -> new Decoding().add(rowsOfResource(attributes, 3_000), "application/x-protobuf"))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "application/x-protobuf", "Application/X-Protobuf; charset=utf-8", "text/plain"})
    void protobuf(String contentType) throws Exception {
        Decoding decoding = new Decoding().add(request(fullRecord()).toByteArray(), contentType);
        assertThat(decoding.members()).isEqualTo(fullRow());
        assertThat(decoding.rows().getFirst()).containsEntry("ts", NANOS / 1000);
    }

    private static final String JSON = """
            {"resourceLogs": [{
              "scopeLogs": [{
                "logRecords": [{
                  "attributes": [
                    {"key": "HTTP.Status", "value": {"intValue": "-503"}},
                    {"value": {"doubleValue": 0.25}, "key": "ratio"},
                    {"key": "ok", "value": {"boolValue": false}},
                    {"key": "raw", "value": {"bytesValue": "AP8="}},
                    {"key": "none", "value": {}},
                    {"key": "nan", "value": {"doubleValue": "NaN"}},
                    {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a\\"b"}, {"intValue": 1}]}}},
                    {"key": "map", "value": {"kvlistValue": {"values": [
                      {"key": "k", "value": {"stringValue": "v"}},
                      {"key": "e", "value": {"kvlistValue": {}}}]}}},
                    {"key": "level", "value": {"stringValue": "second"}},
                    {"key": "ts", "value": {"stringValue": "mine"}}],
                  "timeUnixNano": "1795168000123456789",
                  "observed_time_unix_nano": 1795168000123456790,
                  "severityNumber": 13, "severityText": "WARN",
                  "body": {"stringValue": "disk \\"full\\" \\\\ \\n\\u0001 ä \\ud83d\\ude00"},
                  "droppedAttributesCount": 2, "flags": 1, "unknown": [{}],
                  "traceId": "AB0102030405060708090a0b0c0d0e0f", "spanId": "cd01020304050607",
                  "eventName": "disk.full"}],
                "scope": {"name": "lib", "version": "1.2", "attributes": [{"key": "x", "value": {"stringValue": "y"}}]},
                "schemaUrl": "https://example.com/1"}],
              "resource": {"attributes": [
                {"key": "service.name", "value": {"stringValue": "shop"}},
                {"key": "host", "value": {"kvlistValue": {"values": [{"key": "id", "value": {"stringValue": "h1"}}]}}}]},
              "schemaUrl": "https://example.com/0"}]}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"", "application/json", "application/json;charset=UTF-8"})
    void json(String contentType) throws Exception {
        Decoding decoding = new Decoding().add(JSON.getBytes(UTF_8), contentType);
        assertThat(decoding.members()).isEqualTo(fullRow());
        assertThat(decoding.rows().getFirst()).containsEntry("ts", NANOS / 1000);
    }

    /** The Collector writes doubles so, and over protobuf they are doubles. */
    @ParameterizedTest
    @ValueSource(strings = {"3", "3.0", "\"3\"", "3e0", "30E-1"})
    void aDoubleWithoutAFractionIsADouble(String written) throws Exception {
        String request = """
            {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[
              {"key":"price","value":{"doubleValue":%1$s}},
              {"key":"list","value":{"arrayValue":{"values":[{"doubleValue":%1$s}]}}}]}]}]}]}""".formatted(written);
        Map<String, Object> members =
                new Decoding().add(request.getBytes(UTF_8), "application/json").members();
        assertThat(members).containsEntry("price", 3.0);
        assertThat(members.get("list").toString()).matches("\\[3[.e].*]|\\[30E-1]");
    }

    @Test
    void recordsAreNumberedInTheirOrder() throws Exception {
        ExportLogsServiceRequest two = request(
                LogRecord.newBuilder().setTimeUnixNano(NANOS).setBody(text("b")).build(),
                LogRecord.newBuilder()
                        .setTimeUnixNano(NANOS - 1_000_000)
                        .setBody(text("a"))
                        .build());
        ExportLogsServiceRequest four = two.toBuilder().mergeFrom(two).build();
        List<Map<String, Object>> rows =
                new Decoding().add(four.toByteArray(), "").rows();
        assertThat(rows).extracting(row -> row.get("message")).containsExactly("a", "a", "b", "b");
        assertThat(rows).extracting(row -> row.get("_kafka_ordinal")).containsExactly(1L, 3L, 0L, 2L);
        assertThat(rows).extracting(row -> row.get("_kafka_offset")).containsOnly(100L);
        assertThat(rows).extracting(row -> row.get("resource.service.name")).containsOnly("shop");
    }

    @Test
    void withoutATimeItIsTheObservedOneElseThatOfAnAttributeElseTheAppendTime() throws Exception {
        AnyValue time = text("2026-11-20T07:00:00Z");
        LogRecord.Builder record = LogRecord.newBuilder();
        assertThat(onlyRow(record)).containsEntry("ts", Decoding.APPENDED);
        record.addAttributes(attribute("time", time));
        assertThat(onlyRow(record)).containsEntry("ts", 1_795_158_000_000_000L).doesNotContainKey("time");
        record.setObservedTimeUnixNano(NANOS);
        assertThat(onlyRow(record)).containsEntry("ts", NANOS / 1000).containsEntry("time", time.getStringValue());
    }

    private static Map<String, Object> onlyRow(LogRecord.Builder record) throws Exception {
        return new Decoding()
                .add(request(record.build()).toByteArray(), "")
                .rows()
                .getFirst();
    }

    @Test
    void rowOutsideTheWindowIsRestamped() throws Exception {
        LogRecord future = LogRecord.newBuilder()
                .setTimeUnixNano(NANOS + 86_400_000_000_000L)
                .build();
        assertThat(new Decoding().add(request(future).toByteArray(), "").rows().getFirst())
                .containsEntry("ts", Decoding.APPENDED)
                .containsEntry("attributes", Map.of("ts_original", Long.toString(NANOS / 1000 + 86_400_000_000L)));
    }

    /** What a record holds is flushed together, and each day is a LogBlock. */
    @Test
    void rowsOfManyDaysInOneRecordAreRestamped() throws Exception {
        LogRecord[] records = new LogRecord[10_000];
        for (int i = 0; i < records.length; i++) {
            long day = TimeUnit.DAYS.toNanos(9_999 - i / 2 * 2);
            records[i] = LogRecord.newBuilder()
                    .setTimeUnixNano(day)
                    .setBody(text("row " + i))
                    .build();
        }
        Decoding decoding = new Decoding().add(request(records).toByteArray(), "application/x-protobuf");
        List<DayRows> days = decoding.assembled().days();
        assertThat(days).hasSize(RowWriter.MAX_DAYS);
        assertThat(days.stream().mapToInt(DayRows::rows).sum()).isEqualTo(records.length);
        Map<String, Object> last = decoding.rows().stream()
                .filter(row -> row.get("message").equals("row 9999"))
                .findFirst()
                .orElseThrow();
        assertThat(last.get("ts")).isEqualTo(Decoding.APPENDED);
        assertThat(last.get("attributes").toString()).contains("ts_original=" + TimeUnit.DAYS.toMicros(1));
    }

    @Test
    void bodiesThatAreNoText() throws Exception {
        LogRecord number = LogRecord.newBuilder()
                .setBody(AnyValue.newBuilder().setIntValue(7))
                .build();
        LogRecord object =
                LogRecord.newBuilder().setBody(map(attribute("a", text("x")))).build();
        assertThat(new Decoding().add(request(number).toByteArray(), "").members())
                .containsEntry("message", 7L);
        assertThat(new Decoding().add(request(object).toByteArray(), "").members())
                .containsEntry("message.a", "x");
    }

    @Test
    void requestsWithoutRecordsHaveNoRows() throws Exception {
        assertThat(new Decoding().add(new byte[0], "application/x-protobuf").rows())
                .isEmpty();
        assertThat(new Decoding().add(request().toByteArray(), "").rows()).isEmpty();
        assertThat(new Decoding().add("{\"resourceLogs\":[]}").rows()).isEmpty();
        assertThat(new Decoding()
                        .add("{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[]}]}]}")
                        .rows())
                .isEmpty();
    }

    @Test
    void objectsThatMerelyResembleARequestAreRows() throws Exception {
        assertThat(new Decoding().add("{\"resourceLogs\":5}").members()).isEqualTo(Map.of("resourcelogs", 5L));
        assertThat(new Decoding().add("{\"a\":1,\"resourceLogs\":[]}").members())
                .isEqualTo(Map.of("a", 1L, "resourcelogs", "[]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resourceLogs\":[1]}",
                "{\"resourceLogs\":[{\"scopeLogs\":{}}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":\"x\"}]}]}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"x\"}]}]}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":-1}]}]}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"intValue\":\"1,\\\"x\\\":2\"}}]}]}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"intValue\":\"--1\"}}]}]}]}",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"boolValue\":\"true\"}}]}]}]}"
            })
    void malformedJsonRequests(String json) {
        assertReason(json.getBytes(UTF_8), "", Reason.MALFORMED_OTLP);
    }

    @Test
    void malformedProtobuf() {
        byte[] good = request(fullRecord()).toByteArray();
        for (int length = 1; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertReason(cut, "application/x-protobuf", Reason.MALFORMED_OTLP);
        }
        assertReason("{\"a\":1}".getBytes(UTF_8), "application/x-protobuf", Reason.MALFORMED_OTLP);
        assertReason(good, "application/json", Reason.MALFORMED_JSON);
    }

    @Test
    void deepValues() throws Exception {
        AnyValue value = text("x");
        for (int i = 0; i < OtlpDepth.MAX; i++) {
            value = array(value);
        }
        LogRecord.Builder record = LogRecord.newBuilder().setBody(value);
        assertThat(new Decoding().add(request(record.build()).toByteArray(), "").members())
                .containsEntry("message", "[".repeat(100) + "\"x\"" + "]".repeat(100));
        for (int i = 0; i < 200; i++) {
            value = array(value);
        }
        byte[] deep = request(record.setBody(value).build()).toByteArray();
        assertReason(deep, "", Reason.TOO_DEEP);
    }

    @Test
    void bytesThatAreNotUtf8StayVisible() throws Exception {
        byte[] request =
                request(LogRecord.newBuilder().setBody(text("a?b")).build()).toByteArray();
        for (int i = 0; i < request.length; i++) {
            if (request[i] == '?') {
                request[i] = (byte) 0xFE;
            }
        }
        assertThat(new Decoding().add(request, "").members()).containsEntry("message", "a\\xfeb");
    }

    private static void assertReason(byte[] value, String contentType, Reason reason) {
        assertThatThrownBy(() -> new Decoding().add(value, contentType))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
