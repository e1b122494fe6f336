package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** OTLP requests in JSON. */
final class OtlpJson {
    /** Control characters are spelled as the decoder spells them: the text of an array is compared as it is. */
    private static final CharacterEscapes ESCAPES = new CharacterEscapes() {
        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            Arrays.fill(codes, 0, ' ', ESCAPE_STANDARD);
            return codes;
        }

        @Override
        public SerializableString getEscapeSequence(int character) {
            return null;
        }
    };

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build();

    private OtlpJson() {}

    static JsonGenerator generator(StringWriter text) throws IOException {
        JsonGenerator out = JSON.createGenerator(text);
        out.setCharacterEscapes(ESCAPES);
        return out;
    }

    /** The request as OTLP's specification spells it in JSON. */
    static byte[] of(ExportLogsServiceRequest request) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = generator(text)) {
            out.writeStartObject();
            out.writeArrayFieldStart("resourceLogs");
            for (ResourceLogs logs : request.getResourceLogsList()) {
                write(logs, out);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return text.toString().getBytes(UTF_8);
    }

    private static void write(ResourceLogs logs, JsonGenerator out) throws IOException {
        out.writeStartObject();
        if (logs.hasResource()) {
            Resource resource = logs.getResource();
            out.writeObjectFieldStart("resource");
            write("attributes", resource.getAttributesList(), out);
            unsigned("droppedAttributesCount", resource.getDroppedAttributesCount(), out);
            out.writeEndObject();
        }
        out.writeArrayFieldStart("scopeLogs");
        for (ScopeLogs scope : logs.getScopeLogsList()) {
            write(scope, out);
        }
        out.writeEndArray();
        out.writeStringField("schemaUrl", logs.getSchemaUrl());
        out.writeEndObject();
    }

    private static void write(ScopeLogs logs, JsonGenerator out) throws IOException {
        out.writeStartObject();
        if (logs.hasScope()) {
            InstrumentationScope scope = logs.getScope();
            out.writeObjectFieldStart("scope");
            out.writeStringField("name", scope.getName());
            out.writeStringField("version", scope.getVersion());
            write("attributes", scope.getAttributesList(), out);
            unsigned("droppedAttributesCount", scope.getDroppedAttributesCount(), out);
            out.writeEndObject();
        }
        out.writeArrayFieldStart("logRecords");
        for (LogRecord record : logs.getLogRecordsList()) {
            write(record, out);
        }
        out.writeEndArray();
        out.writeStringField("schemaUrl", logs.getSchemaUrl());
        out.writeEndObject();
    }

    private static void write(LogRecord record, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("timeUnixNano", Long.toUnsignedString(record.getTimeUnixNano()));
        out.writeStringField("observedTimeUnixNano", Long.toUnsignedString(record.getObservedTimeUnixNano()));
        out.writeNumberField("severityNumber", record.getSeverityNumberValue());
        out.writeStringField("severityText", record.getSeverityText());
        if (record.hasBody()) {
            out.writeFieldName("body");
            write(record.getBody(), out);
        }
        write("attributes", record.getAttributesList(), out);
        unsigned("droppedAttributesCount", record.getDroppedAttributesCount(), out);
        unsigned("flags", record.getFlags(), out);
        out.writeStringField("traceId", hex(record.getTraceId()));
        out.writeStringField("spanId", hex(record.getSpanId()));
        out.writeStringField("eventName", record.getEventName());
        out.writeEndObject();
    }

    private static void unsigned(String name, int value, JsonGenerator out) throws IOException {
        out.writeNumberField(name, Integer.toUnsignedLong(value));
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static void write(String name, List<KeyValue> attributes, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (KeyValue attribute : attributes) {
            out.writeStartObject();
            out.writeStringField("key", attribute.getKey());
            if (attribute.hasValue()) {
                out.writeFieldName("value");
                write(attribute.getValue(), out);
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void write(AnyValue value, JsonGenerator out) throws IOException {
        out.writeStartObject();
        switch (value.getValueCase()) {
            case STRING_VALUE -> out.writeStringField("stringValue", value.getStringValue());
            case BOOL_VALUE -> out.writeBooleanField("boolValue", value.getBoolValue());
            case INT_VALUE -> out.writeStringField("intValue", Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> out.writeNumberField("doubleValue", value.getDoubleValue());
            case BYTES_VALUE ->
                out.writeStringField(
                        "bytesValue",
                        Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
            case ARRAY_VALUE -> {
                out.writeObjectFieldStart("arrayValue");
                out.writeArrayFieldStart("values");
                for (AnyValue element : value.getArrayValue().getValuesList()) {
                    write(element, out);
                }
                out.writeEndArray();
                out.writeEndObject();
            }
            case KVLIST_VALUE -> {
                out.writeObjectFieldStart("kvlistValue");
                write("values", value.getKvlistValue().getValuesList(), out);
                out.writeEndObject();
            }
            default -> {
                // A value that is not set is an empty object.
            }
        }
        out.writeEndObject();
    }
}
