package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes as an export request: what is taken can be read, and a bad log record costs only itself. */
class LogsRequestFuzzTest {
    /** Parts repeat resources: at most so often, and so much more. */
    private static final long MAX_GROWTH = 4;

    private static final long GROWTH_BYTES = 1 << 20;

    static Stream<byte[]> protobuf() {
        return Stream.of(
                Requests.request(2, 2, 2, 10).toByteArray(),
                Requests.request(1, 1, 3, 0).toByteArray(),
                Requests.request(2, 1, 0, 0).toByteArray());
    }

    static Stream<byte[]> json() {
        return Stream.of(
                OtlpJson.of(Requests.request(2, 2, 2, 10)).getBytes(UTF_8),
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"stringValue\":\"a\"}},{\"body\":7}]}]}]}"
                        .getBytes(UTF_8),
                "{\"other\":1,\"resourceLogs\":[{\"resource\":{\"attributes\":[{\"key\":\"a\",\"value\":{\"intValue\":\"1\"}}]}}]}"
                        .getBytes(UTF_8));
    }

    static Stream<byte[]> protobufRecords() {
        return Stream.of(Requests.record(1, 10).toByteArray(), new byte[] {1, 5});
    }

    static Stream<byte[]> jsonRecords() {
        return Stream.of(
                        "{\"timeUnixNano\":\"1795168000123456789\",\"severityNumber\":9,\"flags\":1,\"traceId\":\"AB01\","
                                + "\"body\":{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":{\"doubleValue\":\"NaN\"}}]}}}",
                        "{\"attributes\":[{\"key\":\"l\",\"value\":{\"arrayValue\":{\"values\":[{\"boolValue\":true},"
                                + "{\"bytesValue\":\"AP8=\"},{\"intValue\":-1}]}}}]}")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("protobuf")
    @FuzzTest
    void protobuf(byte[] body) throws Exception {
        read(body, false);
    }

    @MethodSource("json")
    @FuzzTest
    void json(byte[] body) throws Exception {
        read(body, true);
    }

    @MethodSource("protobufRecords")
    @FuzzTest
    void aProtobufRecordBetweenGoodOnes(byte[] record) throws Exception {
        ByteString good = Requests.record(1, 10).toByteString();
        ByteString scope = message(2, good, ByteString.copyFrom(record), good);
        byte[] body = message(1, message(2, scope)).toByteArray();
        LogsRequest request = ProtobufLogs.read(body, Memory.countedElsewhere());
        long rows = ShippedRows.requireReadable(request.payloads());
        assertThat(rows).isGreaterThanOrEqualTo(2);
        assertThat(rows + request.rejected().count()).isEqualTo(3);
        if (rows == 2) {
            assertThat(Requests.rows(request.payloads()))
                    .allSatisfy(row -> assertThat(row).containsEntry("message", "b".repeat(10)));
        }
    }

    private static ByteString message(int field, ByteString... values) {
        Field.Builder fields = Field.newBuilder();
        for (ByteString value : values) {
            fields.addLengthDelimited(value);
        }
        return UnknownFieldSet.newBuilder()
                .addField(field, fields.build())
                .build()
                .toByteString();
    }

    @MethodSource("jsonRecords")
    @FuzzTest
    void aJsonRecordBetweenGoodOnes(byte[] record) throws Exception {
        String good = "{\"body\":{\"stringValue\":\"good\"}}";
        byte[] body = ShippedRows.join(
                ("{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[" + good + ",").getBytes(UTF_8),
                record,
                ("," + good + "]}]}]}").getBytes(UTF_8));
        LogsRequest request;
        try {
            request = JsonLogs.read(body, Memory.countedElsewhere());
        } catch (RefusedException e) {
            assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            return;
        }
        long rows = ShippedRows.requireReadable(request.payloads());
        assertThat(rows + request.rejected().count()).isGreaterThanOrEqualTo(3);
        assertThat(Requests.rows(request.payloads()).stream()
                        .filter(row -> "good".equals(row.get("message")))
                        .count())
                .isGreaterThanOrEqualTo(2);
    }

    private static void read(byte[] body, boolean isJson) throws UndecodableRecordException {
        LogsRequest request;
        try {
            request = isJson
                    ? JsonLogs.read(body, Memory.countedElsewhere())
                    : ProtobufLogs.read(body, Memory.countedElsewhere());
        } catch (RefusedException e) {
            assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            return;
        }
        long rows = ShippedRows.requireReadable(request.payloads());
        assertThat(request.payloads()).allMatch(payload -> payload.rows() > 0);
        assertThat(rows + request.rejected().count()).isLessThanOrEqualTo(body.length);
        assertThat(ShippedRows.bytes(request.payloads())).isLessThanOrEqualTo(MAX_GROWTH * body.length + GROWTH_BYTES);
        if (request.rejected().count() == 0 && rows > 0 && !isJson) {
            assertThat(request.payloads()).extracting(Payload::value).containsExactly(body);
        }
    }
}
