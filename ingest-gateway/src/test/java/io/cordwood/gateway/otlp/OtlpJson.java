package io.cordwood.gateway.otlp;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the requests of {@link Requests} as OTLP's JSON. */
final class OtlpJson {
    private OtlpJson() {}

    static String of(ExportLogsServiceRequest request) {
        return "{\"resourceLogs\": ["
                + request.getResourceLogsList().stream().map(OtlpJson::resource).collect(Collectors.joining(",\n"))
                + "]}";
    }

    private static String resource(ResourceLogs resource) {
        return "{ \"resource\": {\"attributes\":[%s]}, \"scopeLogs\":[%s] , \"schemaUrl\":\"%s\" }"
                .formatted(
                        attributes(resource.getResource().getAttributesList()),
                        resource.getScopeLogsList().stream()
                                .map(OtlpJson::scope)
                                .collect(Collectors.joining(",")),
                        resource.getSchemaUrl());
    }

    private static String scope(ScopeLogs scope) {
        return "{\"logRecords\":[%s],\"scope\":{\"name\":\"%s\",\"version\":\"%s\"}}"
                .formatted(
                        scope.getLogRecordsList().stream().map(OtlpJson::record).collect(Collectors.joining(" ,\n")),
                        scope.getScope().getName(),
                        scope.getScope().getVersion());
    }

    private static String record(LogRecord record) {
        return """
            {"timeUnixNano":"%d","severityNumber":%d,"severityText":"%s","body":{"stringValue":"%s"},"attributes":[%s]}""".formatted(
                        record.getTimeUnixNano(),
                        record.getSeverityNumberValue(),
                        record.getSeverityText(),
                        record.getBody().getStringValue(),
                        attributes(record.getAttributesList()));
    }

    private static String attributes(List<KeyValue> attributes) {
        return attributes.stream()
                .map(each -> "{\"key\":\"%s\",\"value\":{%s}}"
                        .formatted(
                                each.getKey(),
                                each.getValue().hasIntValue()
                                        ? "\"intValue\":\"%d\""
                                                .formatted(each.getValue().getIntValue())
                                        : "\"stringValue\":\"%s\""
                                                .formatted(each.getValue().getStringValue())))
                .collect(Collectors.joining(","));
    }
}
