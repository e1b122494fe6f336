package io.cordwood.gateway.otlp;

import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.Decoding;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.List;
import java.util.Map;

/** Requests as OpenTelemetry's own classes write them. */
final class Requests {
    /** 2026-11-20T10:00:00Z. */
    static final long TIME = 1_795_168_800_000_000_000L;

    private Requests() {}

    /** A request with a number of records in each scope of each resource, numbered in order. */
    static ExportLogsServiceRequest request(int resources, int scopes, int records, int bodyLength) {
        ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
        long number = 0;
        for (int r = 0; r < resources; r++) {
            ResourceLogs.Builder resource = request.addResourceLogsBuilder()
                    .setResource(Resource.newBuilder().addAttributes(attribute("service.name", "service-" + r)))
                    .setSchemaUrl("https://opentelemetry.io/schemas/1.38.0");
            for (int s = 0; s < scopes; s++) {
                ScopeLogs.Builder scope = resource.addScopeLogsBuilder()
                        .setScope(InstrumentationScope.newBuilder()
                                .setName("scope-" + s)
                                .setVersion("1"));
                for (int i = 0; i < records; i++) {
                    scope.addLogRecords(record(number++, bodyLength));
                }
            }
        }
        return request.build();
    }

    static LogRecord record(long number, int bodyLength) {
        return LogRecord.newBuilder()
                .setTimeUnixNano(TIME + number * 1000)
                .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_WARN)
                .setSeverityText("WARN")
                .setBody(AnyValue.newBuilder().setStringValue("b".repeat(bodyLength)))
                .addAttributes(attribute("n", number))
                .build();
    }

    static KeyValue attribute(String key, String value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setStringValue(value))
                .build();
    }

    static KeyValue attribute(String key, long value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setIntValue(value))
                .build();
    }

    /** The rows that the ingest job makes of them. */
    static List<Map<String, Object>> rows(List<Payload> payloads) throws UndecodableRecordException {
        Decoding decoding = new Decoding();
        for (Payload payload : payloads) {
            decoding.add(payload.value(), payload.format().mediaType());
        }
        return decoding.rows();
    }
}
