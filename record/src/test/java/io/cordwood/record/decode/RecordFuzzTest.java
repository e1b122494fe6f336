package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.ChunkWriter;
import io.cordwood.record.buffer.CorruptChunkException;
import io.cordwood.record.buffer.RowBuffer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever bytes a record has: rows, or a reason why there are none. {@code bin/test --fuzz} looks for others. */
class RecordFuzzTest {
    static Stream<byte[]> json() {
        return Stream.of(
                        "{}",
                        "{\"ts\":\"2026-11-20T08:00:00.5+01:00\",\"level\":\"INFO\",\"a\":{\"b\":[1,-2.5e3,null,true]}}",
                        "{\"time\":1795168800123,\"message\":\"\\ud83d\\ude00 \\u0000\\n\",\"A\":1,\"a\":\"x\",\"_x\":1e400}",
                        "{\"resourceLogs\":[{\"resource\":{\"attributes\":[{\"key\":\"a\",\"value\":{\"intValue\":\"1\"}}]},"
                                + "\"scopeLogs\":[{\"scope\":{\"name\":\"s\"},\"logRecords\":[{\"timeUnixNano\":\"1795168000123456789\","
                                + "\"severityNumber\":9,\"body\":{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":{\"doubleValue\":0.5}}]}},"
                                + "\"attributes\":[{\"key\":\"l\",\"value\":{\"arrayValue\":{\"values\":[{\"boolValue\":true},{\"bytesValue\":\"AP8=\"}]}}}],"
                                + "\"traceId\":\"AB01\",\"flags\":1}]}]}]}")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("json")
    @FuzzTest
    void json(byte[] value) {
        decode(value, "application/json");
    }

    static Stream<byte[]> protobuf() {
        AnyValue text = AnyValue.newBuilder().setStringValue("text").build();
        AnyValue list = AnyValue.newBuilder()
                .setArrayValue(ArrayValue.newBuilder()
                        .addValues(AnyValue.newBuilder().setDoubleValue(0.5))
                        .addValues(AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[] {0, -1}))))
                .build();
        LogRecord record = LogRecord.newBuilder()
                .setTimeUnixNano(1_795_168_000_123_456_789L)
                .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_INFO)
                .setSeverityText("INFO")
                .setBody(text)
                .addAttributes(KeyValue.newBuilder().setKey("list").setValue(list))
                .setFlags(1)
                .setTraceId(ByteString.copyFrom(new byte[16]))
                .build();
        return Stream.of(ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(ResourceLogs.newBuilder()
                        .setResource(Resource.newBuilder()
                                .addAttributes(KeyValue.newBuilder().setKey("r").setValue(text)))
                        .addScopeLogs(ScopeLogs.newBuilder()
                                .addLogRecords(record)
                                .addLogRecords(LogRecord.getDefaultInstance())))
                .build()
                .toByteArray());
    }

    @MethodSource("protobuf")
    @FuzzTest
    void protobuf(byte[] value) {
        decode(value, "application/x-protobuf");
    }

    @MethodSource({"json", "protobuf"})
    @FuzzTest
    void ofUnknownFormat(byte[] value) {
        decode(value, "");
    }

    private static void decode(byte[] value, String contentType) {
        Decoding decoding = new Decoding();
        try {
            decoding.add(value, contentType);
        } catch (UndecodableRecordException e) {
            assertThat(e.reason()).as(e.getMessage()).isNotEqualTo(Reason.DECODER_FAILED);
        }
        assertThat(decoding.rows()).hasSize(decoding.buffers.getFirst().rowCount());
    }

    static Stream<byte[]> chunks() throws UndecodableRecordException {
        Decoding decoding = new Decoding();
        for (byte[] value : json().toList()) {
            decoding.add(value, "application/json");
        }
        return Stream.of(new RowBuffer().toChunk(), decoding.buffers.getFirst().toChunk());
    }

    /** Chunks of others with the right checksum: damage is noticed before. */
    @MethodSource("chunks")
    @FuzzTest
    void chunk(byte[] bytes) {
        byte[] chunk = bytes.clone();
        if (chunk.length >= ChunkWriter.HEADER_BYTES) {
            ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).putInt(4, ChunkWriter.checksum(chunk));
        }
        try {
            RowBuffer.fromChunk(chunk);
        } catch (CorruptChunkException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }
}
