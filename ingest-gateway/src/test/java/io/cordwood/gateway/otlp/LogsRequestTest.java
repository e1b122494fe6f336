package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Requests as they come, and as they go to Kafka. */
class LogsRequestTest {
    private static final int PART_BYTES = 1 << 20;
    /** At most so much of a request of these tests is in no record, resource or scope. */
    private static final int STRUCTURE_BYTES = 4_000;

    private static List<Map<String, Object>> rows(byte[] request, Payload.Format format)
            throws UndecodableRecordException {
        return Requests.rows(List.of(new Payload(request, format, 0)));
    }

    private static int records(LogsRequest request) {
        return request.payloads().stream().mapToInt(Payload::rows).sum();
    }

    @Property(tries = 30)
    void largeRequestsKeepAllRecordsInOrder(
            @ForAll @IntRange(min = 1, max = 4) int resources,
            @ForAll @IntRange(min = 1, max = 4) int scopes,
            @ForAll @IntRange(min = 0, max = 40) int records,
            @ForAll @IntRange(min = 0, max = 40_000) int bodyLength)
            throws Exception {
        ExportLogsServiceRequest request = Requests.request(resources, scopes, records, bodyLength);
        byte[] protobuf = request.toByteArray();
        byte[] json = OtlpJson.of(request).getBytes(UTF_8);
        LogsRequest ofProtobuf = ProtobufLogs.read(protobuf, Memory.countedElsewhere());
        LogsRequest ofJson = JsonLogs.read(json, Memory.countedElsewhere());
        assertDivided(ofProtobuf, protobuf.length);
        assertDivided(ofJson, json.length);
        for (LogsRequest each : List.of(ofProtobuf, ofJson)) {
            assertThat(records(each)).isEqualTo(resources * scopes * records);
            assertThat(each.message()).isEmpty();
            assertThat(each.payloads()).allMatch(payload -> payload.value().length < PART_BYTES + 50_000);
        }
        if (records > 0) {
            List<Map<String, Object>> expected = rows(protobuf, Payload.Format.OTLP_PROTOBUF);
            assertSameButForPosition(Requests.rows(ofProtobuf.payloads()), expected);
            assertSameButForPosition(Requests.rows(ofJson.payloads()), expected);
        }
    }

    /** A request is divided by the bytes of its records, resources and scopes, which are nearly all. */
    private static void assertDivided(LogsRequest request, int bytes) {
        int parts = request.payloads().size();
        if (bytes <= PART_BYTES) {
            assertThat(parts).isLessThanOrEqualTo(1);
        } else if (bytes > PART_BYTES + STRUCTURE_BYTES) {
            assertThat(parts).isGreaterThan(1);
        }
    }

    private static void assertSameButForPosition(List<Map<String, Object>> actual, List<Map<String, Object>> expected) {
        List<String> positions = actual.getFirst().keySet().stream()
                .filter(name -> name.startsWith("_") || name.startsWith("$"))
                .toList();
        for (List<Map<String, Object>> each : List.of(actual, expected)) {
            each.forEach(row -> row.keySet().removeAll(positions));
        }
        assertThat(actual).isEqualTo(expected);
    }

    /** What the gateway takes, the ingest job must read: else the client heard a success, and no row came. */
    @Property
    void whatIsTakenOfDamagedRequestsIsReadable(@ForAll Random random, @ForAll boolean isJson) throws Exception {
        ExportLogsServiceRequest request = Requests.request(2, 2, 3, 10);
        byte[] bytes = isJson ? OtlpJson.of(request).getBytes(UTF_8) : request.toByteArray();
        for (int i = random.nextInt(5); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] =
                    isJson ? (byte) "{}[]\",:0n\\-e".charAt(random.nextInt(12)) : (byte) random.nextInt();
        }
        LogsRequest taken;
        try {
            taken = isJson
                    ? JsonLogs.read(bytes, Memory.countedElsewhere())
                    : ProtobufLogs.read(bytes, Memory.countedElsewhere());
        } catch (RefusedException e) {
            return;
        }
        if (!taken.payloads().isEmpty()) {
            assertThat(Requests.rows(taken.payloads())).hasSize(records(taken));
        }
    }

    @Property
    void anyBytesAreTakenOrRefused(@ForAll byte[] bytes) {
        for (boolean isJson : new boolean[] {true, false}) {
            try {
                assertThat(
                                isJson
                                        ? JsonLogs.read(bytes, Memory.countedElsewhere())
                                        : ProtobufLogs.read(bytes, Memory.countedElsewhere()))
                        .isNotNull();
            } catch (RefusedException e) {
                assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            }
        }
    }

    @Example
    void aSmallRequestGoesAsItCame() {
        byte[] protobuf = Requests.request(2, 2, 2, 10).toByteArray();
        assertThat(ProtobufLogs.read(protobuf, Memory.countedElsewhere())
                        .payloads()
                        .getFirst()
                        .value())
                .isSameAs(protobuf);
        byte[] json = OtlpJson.of(Requests.request(2, 2, 2, 10)).getBytes(UTF_8);
        assertThat(JsonLogs.read(json, Memory.countedElsewhere())
                        .payloads()
                        .getFirst()
                        .value())
                .isSameAs(json);
    }

    @Example
    void aMalformedRecordCostsOnlyItself() throws Exception {
        ExportLogsServiceRequest.Builder request = Requests.request(1, 1, 3, 10).toBuilder();
        // The time as a varint
        LogRecord bad = LogRecord.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                        .build())
                .build();
        request.getResourceLogsBuilder(0).getScopeLogsBuilder(0).setLogRecords(1, bad);
        LogsRequest taken = ProtobufLogs.read(request.build().toByteArray(), Memory.countedElsewhere());
        assertThat(taken.message().orElseThrow()).startsWith("Log record 2 of the request: ");
        assertThat(Requests.rows(taken.payloads()).stream().map(row -> row.get("n")))
                .containsExactly(0L, 2L);
        LogsRequest ofJson = JsonLogs.read("""
            {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}},{"body":7},{"body":
            {"stringValue":"b"}}]}]}]}""".getBytes(UTF_8), Memory.countedElsewhere());
        assertThat(ofJson.rejected().count()).isEqualTo(1);
        assertThat(Requests.rows(ofJson.payloads()).stream().map(row -> row.get("message")))
                .containsExactly("a", "b");
    }

    @Example
    void valuesThatAreTooDeepCostTheirRecord() {
        AnyValue value = AnyValue.newBuilder().setIntValue(1).build();
        for (int i = 0; i <= 100; i++) {
            value = AnyValue.newBuilder()
                    .setArrayValue(ArrayValue.newBuilder().addValues(value))
                    .build();
        }
        ExportLogsServiceRequest.Builder request = Requests.request(1, 1, 1, 10).toBuilder();
        request.getResourceLogsBuilder(0)
                .getScopeLogsBuilder(0)
                .addLogRecords(LogRecord.newBuilder().setBody(value));
        LogsRequest taken = ProtobufLogs.read(request.build().toByteArray(), Memory.countedElsewhere());
        assertThat(taken.message().orElseThrow()).contains("more than 100 levels deep");
        assertThat(records(taken)).isEqualTo(1);
    }

    /** Each level of JSON is read once more: a few MB at the deepest one would take half a minute. */
    @Example
    void valuesThatAreLargeForTheirDepthCostTheirRecord() throws Exception {
        String open = "{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":";
        String large = "{\"stringValue\":\"%s\"}".formatted("x".repeat(20_000));
        String good = "{\"body\":{\"stringValue\":\"good\"}},";
        String deep = "{\"body\":%s}".formatted(open.repeat(90) + large + "}]}}".repeat(90));
        LogsRequest taken = JsonLogs.read(
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[%s%s]}]}]}"
                        .formatted(good, deep)
                        .getBytes(UTF_8),
                Memory.countedElsewhere());
        assertThat(taken.message().orElseThrow()).contains("too large for their depth");
        assertThat(Requests.rows(taken.payloads()).stream().map(row -> row.get("message")))
                .containsExactly("good");
        LogsRequest small = JsonLogs.read(
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[%s]}]}]}"
                        .formatted(deep.replace("x".repeat(20_000), "x"))
                        .getBytes(UTF_8),
                Memory.countedElsewhere());
        assertThat(records(small)).isEqualTo(1);
    }

    @Example
    void aResourceBehindItsRecordsStaysTheirs() throws Exception {
        byte[] scopes = Requests.request(1, 1, 30, 50_000).getResourceLogs(0).toBuilder()
                .clearResource()
                .build()
                .toByteArray();
        byte[] resource = io.opentelemetry.proto.logs.v1.ResourceLogs.newBuilder()
                .setResource(Resource.newBuilder().addAttributes(Requests.attribute("host", "late")))
                .build()
                .toByteArray();
        ByteString both = ByteString.copyFrom(scopes).concat(ByteString.copyFrom(resource));
        byte[] request = UnknownFieldSet.newBuilder()
                .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(both)
                                .build())
                .build()
                .toByteArray();
        LogsRequest taken = ProtobufLogs.read(request, Memory.countedElsewhere());
        assertThat(taken.payloads()).hasSize(2);
        assertThat(Requests.rows(taken.payloads()))
                .hasSize(30)
                .allMatch(row -> "late".equals(row.get("resource.host")));
    }

    @Example
    void aRequestWithoutRecordsIsNothing() {
        assertThat(ProtobufLogs.read(new byte[0], Memory.countedElsewhere()).payloads())
                .isEmpty();
        assertThat(ProtobufLogs.read(Requests.request(3, 2, 0, 0).toByteArray(), Memory.countedElsewhere())
                        .payloads())
                .isEmpty();
        assertThat(JsonLogs.read("{}".getBytes(UTF_8), Memory.countedElsewhere())
                        .payloads())
                .isEmpty();
        assertThat(JsonLogs.read("{\"resourceLogs\":null}".getBytes(UTF_8), Memory.countedElsewhere())
                        .payloads())
                .isEmpty();
    }

    /** The ingest job knows a request by its first member. */
    @Example
    void jsonWithAnotherFirstMemberIsStillARequest() throws Exception {
        LogsRequest taken = JsonLogs.read("""
            {"other":1,"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}}]}]}]}""".getBytes(UTF_8), Memory.countedElsewhere());
        assertThat(Requests.rows(taken.payloads()).getFirst()).containsEntry("message", "a");
    }

    @Example
    void aRecordThatKafkaCannotHoldIsLeftOut() {
        ExportLogsServiceRequest.Builder request = Requests.request(1, 1, 2, 10).toBuilder();
        request.getResourceLogsBuilder(0).getScopeLogsBuilder(0).setLogRecords(0, Requests.record(0, (16 << 20)));
        LogsRequest taken = ProtobufLogs.read(request.build().toByteArray(), Memory.countedElsewhere());
        assertThat(taken.message().orElseThrow()).contains("at most 16,760,832 are allowed");
        assertThat(records(taken)).isEqualTo(1);
        byte[] only = Requests.request(1, 1, 1, 16 << 20).toByteArray();
        assertThatThrownBy(() -> ProtobufLogs.read(only, Memory.countedElsewhere()))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    /** A resource goes to each part: a few MB must not become thousands. */
    @Example
    void aLargeResourceDoesNotMakeTheRequestGrow() throws Exception {
        KeyValue large = Requests.attribute("large", "x".repeat(500_000));
        ExportLogsServiceRequest.Builder request = Requests.request(1, 1, 100, 10).toBuilder();
        request.getResourceLogsBuilder(0).setResource(Resource.newBuilder().addAttributes(large));
        LogsRequest taken = ProtobufLogs.read(request.build().toByteArray(), Memory.countedElsewhere());
        assertThat(taken.payloads()).hasSize(4);
        assertThat(Requests.rows(taken.payloads())).hasSize(100);
        ExportLogsServiceRequest.Builder worse = Requests.request(1, 1, 1000, 10).toBuilder();
        worse.getResourceLogsBuilder(0).setResource(Resource.newBuilder().addAttributes(large));
        assertThatThrownBy(() -> ProtobufLogs.read(worse.build().toByteArray(), Memory.countedElsewhere()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("repeats a resource");
    }

    @Example
    void aRequestThatIsCutIsRefused() {
        byte[] protobuf = Requests.request(1, 1, 3, 10).toByteArray();
        assertThatThrownBy(() ->
                        ProtobufLogs.read(Arrays.copyOf(protobuf, protobuf.length - 1), Memory.countedElsewhere()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("reaches past its end");
        assertThatThrownBy(() -> JsonLogs.read(
                        "{\"resourceLogs\":[{\"scopeLogs\":7}]}".getBytes(UTF_8), Memory.countedElsewhere()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("at byte 30");
    }
}
