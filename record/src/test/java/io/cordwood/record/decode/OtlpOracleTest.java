package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.cordwood.record.UndecodableRecordException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Requests in protobuf are the rows that the official classes have in them: read by protobuf-java, each log record is
 * written down as the JSON object that docs/use/records.md says it is.
 */
class OtlpOracleTest {
    private static final long MAX_LINES = 1 << 20;
    private static final long NANOS = 1_795_168_000_123_456_789L;

    private static final Arbitrary<String> TEXTS = Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.of("", "GET", "x\"y\\", "ä€😀", "\u0000\n", "7", "2026-11-20T08:00:00Z")),
            Tuple.of(1, Arbitraries.strings().alpha().ofMaxLength(200)));

    /** Names that meet others, in either case; none that would tell the time. */
    private static final Arbitrary<String> NAMES = Arbitraries.of(
            "a",
            "A",
            "b",
            "http.status",
            "level",
            "message",
            "trace_id",
            "resource",
            "scope.name",
            "tenant_id",
            "",
            "ä");

    @Provide
    Arbitrary<ExportLogsServiceRequest> requests() {
        Arbitrary<ScopeLogs> scopes = Combinators.combine(
                        scope().injectNull(0.3), record().list().ofMaxSize(4), schemaUrl())
                .as((scope, records, url) -> {
                    ScopeLogs.Builder logs =
                            ScopeLogs.newBuilder().addAllLogRecords(records).setSchemaUrl(url);
                    return scope == null ? logs.build() : logs.setScope(scope).build();
                });
        Arbitrary<ResourceLogs> resources = Combinators.combine(
                        resource().injectNull(0.3), scopes.list().ofMaxSize(3), schemaUrl())
                .as((resource, all, url) -> {
                    ResourceLogs.Builder logs =
                            ResourceLogs.newBuilder().addAllScopeLogs(all).setSchemaUrl(url);
                    return resource == null
                            ? logs.build()
                            : logs.setResource(resource).build();
                });
        return resources
                .list()
                .ofMaxSize(3)
                .map(all -> ExportLogsServiceRequest.newBuilder()
                        .addAllResourceLogs(all)
                        .build());
    }

    private static Arbitrary<String> schemaUrl() {
        return Arbitraries.of("", "https://example.com/1");
    }

    private static Arbitrary<Resource> resource() {
        return Combinators.combine(attributes(2), Arbitraries.of(0, 7, -1))
                .as((attributes, dropped) -> Resource.newBuilder()
                        .addAllAttributes(attributes)
                        .setDroppedAttributesCount(dropped)
                        .build());
    }

    private static Arbitrary<InstrumentationScope> scope() {
        return Combinators.combine(TEXTS, TEXTS, attributes(1))
                .as((name, version, attributes) -> InstrumentationScope.newBuilder()
                        .setName(name)
                        .setVersion(version)
                        .addAllAttributes(attributes)
                        .build());
    }

    private static Arbitrary<LogRecord> record() {
        Arbitrary<Long> times = Arbitraries.of(0L, NANOS, NANOS + 1, NANOS - 5_000_000_000L);
        Arbitrary<LogRecord.Builder> fields = Combinators.combine(
                        times, times, Arbitraries.of(0, 13, 99, -1), TEXTS, Arbitraries.of(0, 1, -1), bytes(), bytes())
                .as((time, observed, severity, level, number, trace, span) -> LogRecord.newBuilder()
                        .setTimeUnixNano(time)
                        .setObservedTimeUnixNano(observed)
                        .setSeverityNumberValue(severity)
                        .setSeverityText(level)
                        .setDroppedAttributesCount(number)
                        .setFlags(number)
                        .setTraceId(trace)
                        .setSpanId(span));
        return Combinators.combine(fields, value(2).injectNull(0.2), attributes(2), TEXTS)
                .as((builder, body, attributes, event) -> {
                    LogRecord.Builder record =
                            builder.clone().addAllAttributes(attributes).setEventName(event);
                    return body == null ? record.build() : record.setBody(body).build();
                });
    }

    private static Arbitrary<ByteString> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(16).map(ByteString::copyFrom);
    }

    private static Arbitrary<List<KeyValue>> attributes(int depth) {
        return Combinators.combine(NAMES, value(depth).injectNull(0.1))
                .as((key, value) -> value == null
                        ? KeyValue.newBuilder().setKey(key).build()
                        : KeyValue.newBuilder().setKey(key).setValue(value).build())
                .list()
                .ofMaxSize(4);
    }

    private static Arbitrary<AnyValue> value(int depth) {
        Arbitrary<AnyValue> scalars = Arbitraries.oneOf(List.of(
                Arbitraries.just(AnyValue.getDefaultInstance()),
                TEXTS.map(text -> AnyValue.newBuilder().setStringValue(text).build()),
                Arbitraries.of(true, false)
                        .map(is -> AnyValue.newBuilder().setBoolValue(is).build()),
                Arbitraries.longs()
                        .map(number -> AnyValue.newBuilder().setIntValue(number).build()),
                Arbitraries.oneOf(
                                Arbitraries.doubles(),
                                Arbitraries.of(Double.NaN, Double.NEGATIVE_INFINITY, -0.0, Double.MIN_VALUE, 1e300))
                        .map(number ->
                                AnyValue.newBuilder().setDoubleValue(number).build()),
                bytes().map(value -> AnyValue.newBuilder().setBytesValue(value).build())));
        if (depth == 0) {
            return scalars;
        }
        return Arbitraries.frequencyOf(
                Tuple.of(6, scalars),
                Tuple.of(
                        1,
                        Arbitraries.lazy(() -> value(depth - 1))
                                .list()
                                .ofMaxSize(3)
                                .map(values -> AnyValue.newBuilder()
                                        .setArrayValue(ArrayValue.newBuilder().addAllValues(values))
                                        .build())),
                Tuple.of(
                        1,
                        Arbitraries.lazy(() -> attributes(depth - 1))
                                .map(values -> AnyValue.newBuilder()
                                        .setKvlistValue(
                                                KeyValueList.newBuilder().addAllValues(values))
                                        .build())));
    }

    @Property(tries = 100)
    void rowsAreThoseOfTheOfficialClasses(@ForAll("requests") ExportLogsServiceRequest request) throws Exception {
        assertSame(request.toByteArray(), request);
    }

    /** The properties above hold for protobuf, and JSON gives the same rows. */
    @Property(tries = 100)
    void rowsOfJsonAreThoseOfProtobuf(
            @ForAll("requests") ExportLogsServiceRequest request, @ForAll boolean withTimesInAttributes)
            throws Exception {
        ExportLogsServiceRequest sent = withTimesInAttributes ? withTimes(request) : request;
        assertThat(new Decoding().add(OtlpJson.of(sent), "application/json").rows())
                .isEqualTo(new Decoding()
                        .add(sent.toByteArray(), "application/x-protobuf")
                        .rows());
    }

    /** Rewritten as lines, requests in both encodings are the same rows. */
    @Property(tries = 200)
    void rowsOfLinesAreThoseOfTheRequest(
            @ForAll("requests") ExportLogsServiceRequest request, @ForAll boolean withTimesInAttributes)
            throws Exception {
        ExportLogsServiceRequest sent = withTimesInAttributes ? withTimes(request) : request;
        OtlpJsonLines lines = new OtlpJsonLines();
        ByteArrayOutputStream ofProtobuf = new ByteArrayOutputStream();
        lines.rewriteProtobuf(sent.toByteArray(), MAX_LINES, (data, from, to) -> addLine(ofProtobuf, data, from, to));
        ByteArrayOutputStream ofJson = new ByteArrayOutputStream();
        lines.rewriteJson(OtlpJson.of(sent), MAX_LINES, (data, from, to) -> addLine(ofJson, data, from, to));
        assertThat(ofJson.toString(UTF_8)).isEqualTo(ofProtobuf.toString(UTF_8));
        if (ofProtobuf.size() == 0) {
            return;
        }
        List<Map<String, Object>> rows = new Decoding()
                .add(ofProtobuf.toByteArray(), "application/x-ndjson")
                .rows();
        List<Map<String, Object>> expected =
                new Decoding().add(sent.toByteArray(), "application/x-protobuf").rows();
        if (withTimesInAttributes) {
            // A second time that is an attribute may be spelled otherwise
            assertThat(rows)
                    .extracting("ts")
                    .isEqualTo(expected.stream().map(row -> row.get("ts")).toList());
        } else {
            assertThat(rows).isEqualTo(expected);
        }
    }

    private static void addLine(ByteArrayOutputStream target, byte[] data, int from, int to) {
        target.write(data, from, to - from);
        target.write('\n');
    }

    /** Renames attributes to candidates for the event time. */
    private static ExportLogsServiceRequest withTimes(ExportLogsServiceRequest request) {
        ExportLogsServiceRequest.Builder changed = request.toBuilder();
        for (ResourceLogs.Builder resource : changed.getResourceLogsBuilderList()) {
            for (ScopeLogs.Builder scope : resource.getScopeLogsBuilderList()) {
                for (LogRecord.Builder record : scope.getLogRecordsBuilderList()) {
                    for (KeyValue.Builder attribute : record.getAttributesBuilderList()) {
                        attribute.setKey(
                                switch (attribute.getKey()) {
                                    case "a" -> "ts";
                                    case "A" -> "TS";
                                    case "b" -> "time";
                                    default -> attribute.getKey();
                                });
                    }
                }
            }
        }
        return changed.build();
    }

    /** A changed byte makes other values, fields that nobody knows, or damage. */
    @Property(tries = 200)
    void changedBytesMeanWhatTheyMeanToTheOfficialClasses(
            @ForAll("requests") ExportLogsServiceRequest request, @ForAll int at, @ForAll byte change)
            throws Exception {
        byte[] changed = request.toByteArray();
        if (changed.length == 0) {
            return;
        }
        changed[Math.floorMod(at, changed.length)] = change;
        ExportLogsServiceRequest parsed;
        try {
            parsed = ExportLogsServiceRequest.parseFrom(changed);
        } catch (InvalidProtocolBufferException e) {
            return;
        }
        int rows;
        try {
            rows = new Decoding().add(changed, "application/x-protobuf").rows().size();
        } catch (UndecodableRecordException e) {
            // A known field with another wire type is unknown to the official classes, and damage here.
            return;
        }
        assertThat(rows).isEqualTo(records(parsed));
        // What is written as the official classes write it, so without unknown fields and without fields set twice
        if (Arrays.equals(parsed.toByteArray(), changed) && !changesTheTime(parsed)) {
            assertSame(changed, parsed);
        }
    }

    private static int records(ExportLogsServiceRequest request) {
        return request.getResourceLogsList().stream()
                .flatMap(logs -> logs.getScopeLogsList().stream())
                .mapToInt(ScopeLogs::getLogRecordsCount)
                .sum();
    }

    private static boolean changesTheTime(ExportLogsServiceRequest request) {
        return request.getResourceLogsList().stream()
                .flatMap(logs -> logs.getScopeLogsList().stream())
                .flatMap(logs -> logs.getLogRecordsList().stream())
                .anyMatch(record -> changed(record.getTimeUnixNano())
                        || changed(record.getObservedTimeUnixNano())
                        || record.toString().matches("(?s).*key: \"(?i:ts|@?timestamp|time)\".*"));
    }

    private static boolean changed(long nanos) {
        return nanos != 0 && Math.abs(nanos - NANOS) > 5_000_000_000L;
    }

    private static void assertSame(byte[] bytes, ExportLogsServiceRequest request) throws Exception {
        Decoding expected = new Decoding();
        for (ResourceLogs resource : request.getResourceLogsList()) {
            for (ScopeLogs scope : resource.getScopeLogsList()) {
                for (LogRecord record : scope.getLogRecordsList()) {
                    expected.add(json(resource, scope, record));
                }
            }
        }
        List<Map<String, Object>> rows =
                new Decoding().add(bytes, "application/x-protobuf").rows();
        rows.sort(Comparator.comparing(row -> (Long) row.get("_kafka_ordinal")));
        assertThat(rows.stream().map(row -> row.get("ts")).toList())
                .isEqualTo(request.getResourceLogsList().stream()
                        .flatMap(logs -> logs.getScopeLogsList().stream())
                        .flatMap(logs -> logs.getLogRecordsList().stream())
                        .map(OtlpOracleTest::micros)
                        .toList());
        assertThat(rows.stream().map(OtlpOracleTest::members).toList())
                .isEqualTo(expected.rows().stream().map(OtlpOracleTest::members).toList());
    }

    private static long micros(LogRecord record) {
        long nanos = record.getTimeUnixNano() != 0 ? record.getTimeUnixNano() : record.getObservedTimeUnixNano();
        return nanos == 0 ? Decoding.APPENDED : nanos / 1000;
    }

    private static Map<String, Object> members(Map<String, Object> row) {
        Map<String, Object> members = new TreeMap<>(row);
        members.keySet().removeIf(name -> name.startsWith("_kafka_") || name.equals("ts"));
        return members;
    }

    private static String json(ResourceLogs resource, ScopeLogs scope, LogRecord record) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = OtlpJson.generator(text)) {
            out.writeStartObject();
            number("severity_number", record.getSeverityNumberValue(), out);
            text("level", record.getSeverityText(), out);
            if (record.hasBody()) {
                out.writeFieldName("message");
                write(record.getBody(), out);
            }
            number("dropped_attributes_count", Integer.toUnsignedLong(record.getDroppedAttributesCount()), out);
            number("flags", Integer.toUnsignedLong(record.getFlags()), out);
            text("trace_id", HexFormat.of().formatHex(record.getTraceId().toByteArray()), out);
            text("span_id", HexFormat.of().formatHex(record.getSpanId().toByteArray()), out);
            text("event_name", record.getEventName(), out);
            write(record.getAttributesList(), out);
            number("observed_time_unix_nano", record.getObservedTimeUnixNano(), out);
            Resource source = resource.getResource();
            if (!source.equals(Resource.getDefaultInstance())
                    || !resource.getSchemaUrl().isEmpty()) {
                out.writeObjectFieldStart("resource");
                write(source.getAttributesList(), out);
                number("dropped_attributes_count", Integer.toUnsignedLong(source.getDroppedAttributesCount()), out);
                text("schema_url", resource.getSchemaUrl(), out);
                out.writeEndObject();
            }
            InstrumentationScope library = scope.getScope();
            if (!library.equals(InstrumentationScope.getDefaultInstance())
                    || !scope.getSchemaUrl().isEmpty()) {
                out.writeObjectFieldStart("scope");
                text("name", library.getName(), out);
                text("version", library.getVersion(), out);
                write(library.getAttributesList(), out);
                number("dropped_attributes_count", Integer.toUnsignedLong(library.getDroppedAttributesCount()), out);
                text("schema_url", scope.getSchemaUrl(), out);
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        return text.toString();
    }

    private static void number(String name, long value, JsonGenerator out) throws IOException {
        if (value != 0) {
            out.writeNumberField(name, value);
        }
    }

    private static void text(String name, String value, JsonGenerator out) throws IOException {
        if (!value.isEmpty()) {
            out.writeStringField(name, value);
        }
    }

    private static void write(List<KeyValue> members, JsonGenerator out) throws IOException {
        for (KeyValue member : members) {
            out.writeFieldName(member.getKey());
            write(member.getValue(), out);
        }
    }

    private static void write(AnyValue value, JsonGenerator out) throws IOException {
        switch (value.getValueCase()) {
            case STRING_VALUE -> out.writeString(value.getStringValue());
            case BOOL_VALUE -> out.writeBoolean(value.getBoolValue());
            case INT_VALUE -> out.writeNumber(value.getIntValue());
            case DOUBLE_VALUE -> out.writeRawValue(Double.toString(value.getDoubleValue()));
            case BYTES_VALUE -> out.writeBinary(value.getBytesValue().toByteArray());
            case ARRAY_VALUE -> {
                out.writeStartArray();
                for (AnyValue element : value.getArrayValue().getValuesList()) {
                    write(element, out);
                }
                out.writeEndArray();
            }
            case KVLIST_VALUE -> {
                out.writeStartObject();
                write(value.getKvlistValue().getValuesList(), out);
                out.writeEndObject();
            }
            default -> out.writeNull();
        }
    }
}
