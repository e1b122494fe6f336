package io.cordwood.gateway.otlp;

import static io.cordwood.record.decode.ProtobufReader.FIXED32;
import static io.cordwood.record.decode.ProtobufReader.FIXED64;
import static io.cordwood.record.decode.ProtobufReader.VARINT;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.OtlpDepth;
import io.cordwood.record.decode.ProtobufReader;

/**
 * Checks messages in protobuf as the ingest job will read them, so that a client hears at once of a log record that
 * nobody can read. Not thread-safe.
 */
final class ProtobufCheck {
    private final byte[] body;

    ProtobufCheck(byte[] body) {
        this.body = body;
    }

    /**
     * Checks a log record.
     *
     * @throws UndecodableRecordException if it is malformed, or too deep
     */
    void logRecord(int from, int to) throws UndecodableRecordException {
        ProtobufReader fields = new ProtobufReader(body, from, to);
        while (fields.next()) {
            switch (fields.field()) {
                case 1, 11 -> fields.bits(FIXED64);
                case 2, 7 -> fields.bits(VARINT);
                case 3, 9, 10, 12 -> fields.start();
                case 5 -> value(fields.message(), 0);
                case 6 -> keyValue(fields.message(), 0);
                case 8 -> fields.bits(FIXED32);
                default -> {
                    // Unknown
                }
            }
        }
    }

    /** Checks a resource or a scope. */
    void source(ProtobufReader fields, boolean isResource) throws UndecodableRecordException {
        int attributes = isResource ? 1 : 3;
        int dropped = isResource ? 2 : 4;
        while (fields.next()) {
            if (fields.field() == attributes) {
                keyValue(fields.message(), 0);
            } else if (fields.field() == dropped) {
                fields.bits(VARINT);
            } else if (fields.field() < attributes) {
                fields.start();
            }
        }
    }

    private void keyValue(ProtobufReader fields, int depth) throws UndecodableRecordException {
        while (fields.next()) {
            if (fields.field() == 1) {
                fields.start();
            } else if (fields.field() == 2) {
                value(fields.message(), depth);
            }
        }
    }

    private void value(ProtobufReader fields, int depth) throws UndecodableRecordException {
        while (fields.next()) {
            switch (fields.field()) {
                case 1, 7 -> fields.start();
                case 2, 3 -> fields.bits(VARINT);
                case 4 -> fields.bits(FIXED64);
                case 5 -> array(fields.message(), OtlpDepth.deeper(depth));
                case 6 -> object(fields.message(), OtlpDepth.deeper(depth));
                default -> {
                    // Unknown
                }
            }
        }
    }

    private void array(ProtobufReader fields, int depth) throws UndecodableRecordException {
        while (fields.next()) {
            if (fields.field() == 1) {
                value(fields.message(), depth);
            }
        }
    }

    private void object(ProtobufReader fields, int depth) throws UndecodableRecordException {
        while (fields.next()) {
            if (fields.field() == 1) {
                keyValue(fields.message(), depth);
            }
        }
    }
}
