package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows per CPU second of decoding OTLP requests in protobuf and in JSON. Their log records have the members of the
 * lines of an ndjson file. Beside it a walk over all fields of the protobuf requests with our reader and with
 * protobuf-java's.
 *
 * <p>Run: {@code java -cp ... io.cordwood.record.decode.OtlpBenchmark FILE.ndjson [ROWS_IN_A_REQUEST [ROUNDS]]}
 */
final class OtlpBenchmark {
    private static final long NANOS = 1_800_000_000_000_000_000L;
    private static final byte[] PROTOBUF = "application/x-protobuf".getBytes(UTF_8);
    private static final byte[] JSON = "application/json".getBytes(UTF_8);
    private static final List<String> RESOURCE = List.of(
            "service.name", "service.version", "host.name", "k8s.pod.name", "k8s.namespace.name", "cloud.region");

    private final List<KafkaRecord> protobuf = new ArrayList<>();
    private final List<KafkaRecord> json = new ArrayList<>();
    private int rows;

    private OtlpBenchmark(Path file, int rowsInRequest) throws IOException {
        List<LogRecord> records = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            records.add(record(line));
            if (records.size() == rowsInRequest) {
                add(records);
                records.clear();
            }
        }
    }

    private static LogRecord record(String line) throws IOException {
        LogRecord.Builder record = LogRecord.newBuilder().setTimeUnixNano(NANOS).setObservedTimeUnixNano(NANOS);
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                AnyValue.Builder value = AnyValue.newBuilder();
                if (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                    value.setIntValue(parser.getLongValue());
                } else {
                    value.setStringValue(parser.getText());
                }
                switch (name) {
                    case "message", "log" -> record.setBody(value);
                    case "level" -> record.setSeverityText(value.getStringValue());
                    default ->
                        record.addAttributes(KeyValue.newBuilder().setKey(name).setValue(value));
                }
            }
        }
        return record.build();
    }

    private void add(List<LogRecord> records) throws IOException {
        Resource.Builder resource = Resource.newBuilder();
        for (String name : RESOURCE) {
            resource.addAttributes(KeyValue.newBuilder()
                    .setKey(name)
                    .setValue(AnyValue.newBuilder().setStringValue("value of " + name)));
        }
        ResourceLogs logs = ResourceLogs.newBuilder()
                .setResource(resource)
                .addScopeLogs(ScopeLogs.newBuilder()
                        .setScope(InstrumentationScope.newBuilder().setName("com.example.shop"))
                        .addAllLogRecords(records))
                .build();
        ExportLogsServiceRequest request =
                ExportLogsServiceRequest.newBuilder().addResourceLogs(logs).build();
        long offset = protobuf.size();
        protobuf.add(new KafkaRecord(offset, NANOS / 1000, new byte[0], request.toByteArray(), new byte[0], PROTOBUF));
        json.add(new KafkaRecord(offset, NANOS / 1000, new byte[0], OtlpJson.of(request), new byte[0], JSON));
        rows += records.size();
    }

    private static double cpuSeconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }

    private void report(String what, double since, long result) {
        double seconds = cpuSeconds() - since;
        System.out.printf("%-28s %6.3f us/row%n", what, seconds / rows * 1e6);
        if (result == 42) {
            throw new AssertionError("unlikely");
        }
    }

    private void decode(String what, List<KafkaRecord> records) throws UndecodableRecordException {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        RowBuffer buffer = new RowBuffer();
        double start = cpuSeconds();
        for (KafkaRecord record : records) {
            decoder.decode("acme", record, buffer);
        }
        report(what, start, buffer.rowCount());
    }

    private void walkOwn() throws UndecodableRecordException {
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : protobuf) {
            sum += walk(new ProtobufReader(record.value(), 0, record.value().length), 0);
        }
        report("walk, own reader", start, sum);
    }

    private void walkCoded() throws IOException {
        double start = cpuSeconds();
        long sum = 0;
        for (KafkaRecord record : protobuf) {
            sum += walk(CodedInputStream.newInstance(record.value()), 0);
        }
        report("walk, CodedInputStream", start, sum);
    }

    /** The level of log records: request, resource logs, scope logs, record. */
    private static final int RECORD = 3;

    /** Whether the field of a message at this level is a message. */
    private static boolean isMessage(int level, int field) {
        return switch (level) {
            case 0 -> field == 1;
            case 1, 2 -> field == 2;
            case RECORD -> field == 5 || field == 6;
            default -> field == 2 && level == RECORD + 1;
        };
    }

    private static long walk(ProtobufReader reader, int level) throws UndecodableRecordException {
        long sum = 0;
        while (reader.next()) {
            int field = reader.field();
            if (isMessage(level, field)) {
                sum += walk(reader.message(), level == RECORD && field == 5 ? RECORD + 2 : level + 1);
            } else {
                sum += field;
            }
        }
        return sum;
    }

    private static long walk(CodedInputStream in, int level) throws IOException {
        long sum = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (isMessage(level, field)) {
                int limit = in.pushLimit(in.readRawVarint32());
                sum += walk(in, level == RECORD && field == 5 ? RECORD + 2 : level + 1);
                in.popLimit(limit);
            } else {
                in.skipField(tag);
                sum += field;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        OtlpBenchmark benchmark =
                new OtlpBenchmark(Path.of(args[0]), args.length > 1 ? Integer.parseInt(args[1]) : 100);
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 20;
        for (int round = 0; round < rounds; round++) {
            System.out.println("round " + (round + 1));
            benchmark.decode("decode protobuf", benchmark.protobuf);
            benchmark.decode("decode JSON", benchmark.json);
            benchmark.walkOwn();
            benchmark.walkCoded();
        }
    }
}
