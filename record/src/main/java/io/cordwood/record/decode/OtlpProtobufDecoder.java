package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;

/**
 * A decoder of OTLP logs export requests in protobuf (opentelemetry/proto/collector/logs/v1). Unknown fields are
 * ignored. Not thread-safe.
 */
final class OtlpProtobufDecoder {
    private final OtlpRows rows;
    private byte[] data = new byte[0];

    OtlpProtobufDecoder(OtlpRows rows) {
        this.rows = rows;
    }

    void decode(byte[] request) throws UndecodableRecordException {
        data = request;
        rows.startRequest();
        ProtobufReader reader = new ProtobufReader(request, 0, request.length);
        while (reader.next()) {
            if (reader.field() == 1) {
                resourceLogs(reader.start(), reader.stop());
            }
        }
    }

    private void resourceLogs(int from, int to) throws UndecodableRecordException {
        JsonComposer resource = rows.startResource();
        // The resource may follow the records that it belongs to.
        ProtobufReader first = new ProtobufReader(data, from, to);
        while (first.next()) {
            if (first.field() == 1) {
                resource(first.message(), resource);
            } else if (first.field() == 3) {
                string("schema_url", first, resource);
            }
        }
        ProtobufReader second = new ProtobufReader(data, from, to);
        while (second.next()) {
            if (second.field() == 2) {
                scopeLogs(second.start(), second.stop());
            }
        }
    }

    private void resource(ProtobufReader reader, JsonComposer out) throws UndecodableRecordException {
        while (reader.next()) {
            if (reader.field() == 1) {
                keyValue(reader.message(), out, 0);
            } else if (reader.field() == 2) {
                number("dropped_attributes_count", reader.bits(ProtobufReader.VARINT), out);
            }
        }
    }

    private void scopeLogs(int from, int to) throws UndecodableRecordException {
        JsonComposer scope = rows.startScope();
        ProtobufReader first = new ProtobufReader(data, from, to);
        while (first.next()) {
            if (first.field() == 1) {
                scope(first.message(), scope);
            } else if (first.field() == 3) {
                string("schema_url", first, scope);
            }
        }
        ProtobufReader second = new ProtobufReader(data, from, to);
        while (second.next()) {
            if (second.field() == 2) {
                logRecord(second.start(), second.stop());
            }
        }
    }

    private void scope(ProtobufReader reader, JsonComposer out) throws UndecodableRecordException {
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> string("name", reader, out);
                case 2 -> string("version", reader, out);
                case 3 -> keyValue(reader.message(), out, 0);
                case 4 -> number("dropped_attributes_count", reader.bits(ProtobufReader.VARINT), out);
                default -> {
                    // Unknown.
                }
            }
        }
    }

    private void logRecord(int from, int to) throws UndecodableRecordException {
        JsonComposer out = rows.startRow();
        ProtobufReader fields = new ProtobufReader(data, from, to);
        while (fields.next()) {
            switch (fields.field()) {
                case 1 -> rows.timeNanos(fields.bits(ProtobufReader.FIXED64));
                case 2 -> number("severity_number", fields.bits(ProtobufReader.VARINT), out);
                case 3 -> string("level", fields, out);
                case 5 -> {
                    out.name("message");
                    value(fields.message(), out, 0);
                }
                case 7 -> number("dropped_attributes_count", fields.bits(ProtobufReader.VARINT), out);
                case 8 -> number("flags", fields.bits(ProtobufReader.FIXED32), out);
                case 9 -> hex("trace_id", fields, out);
                case 10 -> hex("span_id", fields, out);
                case 11 -> rows.observedNanos(fields.bits(ProtobufReader.FIXED64));
                case 12 -> string("event_name", fields, out);
                default -> {
                    // Attributes follow; others are unknown.
                }
            }
        }
        ProtobufReader attributes = new ProtobufReader(data, from, to);
        while (attributes.next()) {
            if (attributes.field() == 6) {
                keyValue(attributes.message(), out, 0);
            }
        }
        rows.endRow();
    }

    private void keyValue(ProtobufReader reader, JsonComposer out, int depth) throws UndecodableRecordException {
        int keyFrom = 0;
        int keyTo = 0;
        ProtobufReader value = new ProtobufReader(data, 0, 0);
        while (reader.next()) {
            if (reader.field() == 1) {
                keyFrom = reader.start();
                keyTo = reader.stop();
            } else if (reader.field() == 2) {
                value = reader.message();
            }
        }
        out.name(data, keyFrom, keyTo);
        value(value, out, depth);
    }

    /** Writes an AnyValue; the last set field of a oneof counts. */
    private void value(ProtobufReader reader, JsonComposer out, int depth) throws UndecodableRecordException {
        int field = 0;
        long bits = 0;
        int from = 0;
        int to = 0;
        while (reader.next()) {
            switch (reader.field()) {
                case 2, 3 -> bits = reader.bits(ProtobufReader.VARINT);
                case 4 -> bits = reader.bits(ProtobufReader.FIXED64);
                case 1, 5, 6, 7 -> {
                    from = reader.start();
                    to = reader.stop();
                }
                default -> {
                    continue;
                }
            }
            field = reader.field();
        }
        switch (field) {
            case 1 -> out.string(data, from, to);
            case 2 -> out.token(bits != 0 ? "true" : "false");
            case 3 -> out.number(bits);
            case 4 -> out.number(Double.longBitsToDouble(bits));
            case 5 -> list(from, to, false, out, OtlpRows.deeper(depth));
            case 6 -> list(from, to, true, out, OtlpRows.deeper(depth));
            case 7 -> out.base64(data, from, to);
            default -> out.token("null");
        }
    }

    private void list(int from, int to, boolean keyed, JsonComposer out, int depth) throws UndecodableRecordException {
        out.open(keyed ? '{' : '[');
        ProtobufReader reader = new ProtobufReader(data, from, to);
        while (reader.next()) {
            if (reader.field() == 1 && keyed) {
                keyValue(reader.message(), out, depth);
            } else if (reader.field() == 1) {
                value(reader.message(), out, depth);
            }
        }
        out.close(keyed ? '}' : ']');
    }

    /** Protobuf does not distinguish an empty field from an absent one. */
    private void string(String name, ProtobufReader reader, JsonComposer out) throws UndecodableRecordException {
        if (reader.start() < reader.stop()) {
            out.name(name);
            out.string(data, reader.start(), reader.stop());
        }
    }

    private void hex(String name, ProtobufReader reader, JsonComposer out) throws UndecodableRecordException {
        if (reader.start() < reader.stop()) {
            out.name(name);
            out.hex(data, reader.start(), reader.stop());
        }
    }

    private static void number(String name, long value, JsonComposer out) {
        if (value != 0) {
            out.name(name);
            out.number(value);
        }
    }
}
