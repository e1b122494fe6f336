package io.cordwood.benchmarks.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xerial.snappy.Snappy;

/** The encodings in which clients of each protocol send the same rows. */
enum DoorClient {
    /** JSON objects, one a line. */
    PLAIN("/api/v1/ingest/logs", "application/x-ndjson") {
        @Override
        byte[] body(List<String> lines) {
            return (String.join("\n", lines) + "\n").getBytes(UTF_8);
        }
    },
    /** Elasticsearch's bulk requests, of a data stream. */
    BULK("/_bulk", "application/x-ndjson") {
        @Override
        byte[] body(List<String> lines) {
            StringBuilder body = new StringBuilder();
            for (String line : lines) {
                body.append("{\"create\":{\"_index\":\"logs-app-prod\"}}\n")
                        .append(line)
                        .append('\n');
            }
            return body.toString().getBytes(UTF_8);
        }
    },
    /** Loki's push, with service and level as labels and what is left of the row as structured metadata. */
    LOKI("/loki/api/v1/push", "application/x-protobuf") {
        @Override
        byte[] body(List<String> lines) throws IOException {
            Map<String, ByteArrayOutputStream> streams = new LinkedHashMap<>();
            for (String line : lines) {
                JsonNode row = JSON.readTree(line);
                String labels = "{service=\"%s\", level=\"%s\"}"
                        .formatted(
                                row.path("service").asText(), row.path("level").asText());
                message(streams.computeIfAbsent(labels, any -> new ByteArrayOutputStream()), 2, entry(row));
            }
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            for (Map.Entry<String, ByteArrayOutputStream> stream : streams.entrySet()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                message(bytes, 1, stream.getKey().getBytes(UTF_8));
                bytes.writeBytes(stream.getValue().toByteArray());
                message(request, 1, bytes.toByteArray());
            }
            return Snappy.compress(request.toByteArray());
        }

        private static byte[] entry(JsonNode row) throws IOException {
            long micros = row.path("ts").asLong();
            ByteArrayOutputStream time = new ByteArrayOutputStream();
            CodedOutputStream coded = CodedOutputStream.newInstance(time);
            coded.writeInt64(1, micros / 1_000_000);
            coded.writeInt32(2, (int) (micros % 1_000_000) * 1000);
            coded.flush();
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            message(entry, 1, time.toByteArray());
            message(entry, 2, row.path("log").asText().getBytes(UTF_8));
            for (String name : List.of("ip", "api", "latency", "fail")) {
                ByteArrayOutputStream pair = new ByteArrayOutputStream();
                message(pair, 1, name.getBytes(UTF_8));
                message(pair, 2, row.path(name).asText().getBytes(UTF_8));
                message(entry, 3, pair.toByteArray());
            }
            return entry.toByteArray();
        }

        private static void message(ByteArrayOutputStream out, int field, byte[] bytes) throws IOException {
            CodedOutputStream coded = CodedOutputStream.newInstance(out);
            coded.writeByteArray(field, bytes);
            coded.flush();
        }
    },
    /** OTLP in protobuf. */
    OTLP("/v1/logs", "application/x-protobuf") {
        @Override
        byte[] body(List<String> lines) throws IOException {
            ScopeLogs.Builder scope = ScopeLogs.newBuilder();
            for (String line : lines) {
                JsonNode row = JSON.readTree(line);
                LogRecord.Builder record = LogRecord.newBuilder()
                        .setTimeUnixNano(row.path("ts").asLong() * 1000)
                        .setSeverityText(row.path("level").asText())
                        .setBody(AnyValue.newBuilder()
                                .setStringValueBytes(
                                        ByteString.copyFromUtf8(row.path("log").asText())));
                for (String name : List.of("ip", "api", "service")) {
                    record.addAttributes(attribute(
                            name,
                            AnyValue.newBuilder().setStringValue(row.path(name).asText())));
                }
                record.addAttributes(attribute(
                        "latency",
                        AnyValue.newBuilder().setIntValue(row.path("latency").asLong())));
                record.addAttributes(attribute(
                        "fail",
                        AnyValue.newBuilder().setBoolValue(row.path("fail").asBoolean())));
                scope.addLogRecords(record);
            }
            return ExportLogsServiceRequest.newBuilder()
                    .addResourceLogs(ResourceLogs.newBuilder()
                            .setResource(Resource.newBuilder()
                                    .addAttributes(attribute(
                                            "host.name", AnyValue.newBuilder().setStringValue("web-1"))))
                            .addScopeLogs(scope))
                    .build()
                    .toByteArray();
        }

        private static KeyValue attribute(String name, AnyValue.Builder value) {
            return KeyValue.newBuilder().setKey(name).setValue(value).build();
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String path;
    private final String contentType;

    DoorClient(String path, String contentType) {
        this.path = path;
        this.contentType = contentType;
    }

    String path() {
        return path;
    }

    String contentType() {
        return contentType;
    }

    /** The body of a request with these rows, each a JSON object of the benchmark's set. */
    abstract byte[] body(List<String> lines) throws IOException;
}
