package io.cordwood.record.decode;

import static io.cordwood.record.decode.OtlpNames.DROPPED_ATTRIBUTES_COUNT;
import static io.cordwood.record.decode.OtlpNames.EVENT_NAME;
import static io.cordwood.record.decode.OtlpNames.FLAGS;
import static io.cordwood.record.decode.OtlpNames.LEVEL;
import static io.cordwood.record.decode.OtlpNames.MESSAGE;
import static io.cordwood.record.decode.OtlpNames.NAME;
import static io.cordwood.record.decode.OtlpNames.SCHEMA_URL;
import static io.cordwood.record.decode.OtlpNames.SEVERITY_NUMBER;
import static io.cordwood.record.decode.OtlpNames.SPAN_ID;
import static io.cordwood.record.decode.OtlpNames.TRACE_ID;
import static io.cordwood.record.decode.OtlpNames.VERSION;

import io.cordwood.record.UndecodableRecordException;

/**
 * A decoder of OTLP logs export requests in protobuf (opentelemetry/proto/collector/logs/v1). Unknown fields are
 * ignored. Not thread-safe.
 */
final class OtlpProtobufDecoder {
    private final OtlpRows rows;
    private final OtlpMembers out;
    private byte[] data = new byte[0];

    OtlpProtobufDecoder(OtlpRows rows) {
        this.rows = rows;
        this.out = rows.members();
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
        rows.startResource();
        // The resource may follow the records that it belongs to.
        ProtobufReader first = new ProtobufReader(data, from, to);
        while (first.next()) {
            if (first.field() == 1) {
                resource(first.message());
            } else if (first.field() == 3) {
                string(SCHEMA_URL, first);
            }
        }
        ProtobufReader second = new ProtobufReader(data, from, to);
        while (second.next()) {
            if (second.field() == 2) {
                scopeLogs(second.start(), second.stop());
            }
        }
    }

    private void resource(ProtobufReader reader) throws UndecodableRecordException {
        while (reader.next()) {
            if (reader.field() == 1) {
                keyValue(reader.message(), 0);
            } else if (reader.field() == 2) {
                number(DROPPED_ATTRIBUTES_COUNT, reader.bits(ProtobufReader.VARINT));
            }
        }
    }

    private void scopeLogs(int from, int to) throws UndecodableRecordException {
        rows.startScope();
        ProtobufReader first = new ProtobufReader(data, from, to);
        while (first.next()) {
            if (first.field() == 1) {
                scope(first.message());
            } else if (first.field() == 3) {
                string(SCHEMA_URL, first);
            }
        }
        ProtobufReader second = new ProtobufReader(data, from, to);
        while (second.next()) {
            if (second.field() == 2) {
                logRecord(second.start(), second.stop());
            }
        }
    }

    private void scope(ProtobufReader reader) throws UndecodableRecordException {
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> string(NAME, reader);
                case 2 -> string(VERSION, reader);
                case 3 -> keyValue(reader.message(), 0);
                case 4 -> number(DROPPED_ATTRIBUTES_COUNT, reader.bits(ProtobufReader.VARINT));
                default -> {
                    // Unknown.
                }
            }
        }
    }

    private void logRecord(int from, int to) throws UndecodableRecordException {
        rows.startRow();
        ProtobufReader fields = new ProtobufReader(data, from, to);
        while (fields.next()) {
            switch (fields.field()) {
                case 1 -> rows.timeNanos(fields.bits(ProtobufReader.FIXED64));
                case 2 -> number(SEVERITY_NUMBER, fields.bits(ProtobufReader.VARINT));
                case 3 -> string(LEVEL, fields);
                case 5 -> {
                    out.name(MESSAGE);
                    value(fields.message(), 0);
                }
                case 7 -> number(DROPPED_ATTRIBUTES_COUNT, fields.bits(ProtobufReader.VARINT));
                case 8 -> number(FLAGS, fields.bits(ProtobufReader.FIXED32));
                case 9 -> hex(TRACE_ID, fields);
                case 10 -> hex(SPAN_ID, fields);
                case 11 -> rows.observedNanos(fields.bits(ProtobufReader.FIXED64));
                case 12 -> string(EVENT_NAME, fields);
                default -> {
                    // Attributes follow; others are unknown.
                }
            }
        }
        rows.startAttributes();
        ProtobufReader attributes = new ProtobufReader(data, from, to);
        while (attributes.next()) {
            if (attributes.field() == 6) {
                keyValue(attributes.message(), 0);
            }
        }
        rows.endRow();
    }

    private void keyValue(ProtobufReader reader, int depth) throws UndecodableRecordException {
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
        value(value, depth);
    }

    /** Writes an AnyValue; the last set field of a oneof counts. */
    private void value(ProtobufReader reader, int depth) throws UndecodableRecordException {
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
            case 2 -> out.bool(bits != 0);
            case 3 -> out.integer(bits);
            case 4 -> out.fraction(Double.longBitsToDouble(bits));
            case 5 -> array(from, to, OtlpDepth.deeper(depth));
            case 6 -> object(from, to, OtlpDepth.deeper(depth));
            case 7 -> out.base64(data, from, to);
            default -> out.nothing();
        }
    }

    private void array(int from, int to, int depth) throws UndecodableRecordException {
        out.openArray();
        ProtobufReader reader = new ProtobufReader(data, from, to);
        while (reader.next()) {
            if (reader.field() == 1) {
                value(reader.message(), depth);
            }
        }
        out.closeArray();
    }

    private void object(int from, int to, int depth) throws UndecodableRecordException {
        out.openObject();
        ProtobufReader reader = new ProtobufReader(data, from, to);
        while (reader.next()) {
            if (reader.field() == 1) {
                keyValue(reader.message(), depth);
            }
        }
        out.closeObject();
    }

    /** Protobuf does not distinguish an empty field from an absent one. */
    private void string(byte[] name, ProtobufReader reader) throws UndecodableRecordException {
        if (reader.start() < reader.stop()) {
            out.name(name);
            out.string(data, reader.start(), reader.stop());
        }
    }

    private void hex(byte[] name, ProtobufReader reader) throws UndecodableRecordException {
        if (reader.start() < reader.stop()) {
            out.name(name);
            out.hex(data, reader.start(), reader.stop());
        }
    }

    private void number(byte[] name, long value) throws UndecodableRecordException {
        if (value != 0) {
            out.name(name);
            out.integer(value);
        }
    }
}
