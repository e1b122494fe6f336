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
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonObjectReader;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import java.util.Locale;

/**
 * A decoder of OTLP logs export requests in JSON. Unknown members are ignored; names may also be in snake_case, and
 * 64-bit integers may be numbers. Not thread-safe.
 */
final class OtlpJsonDecoder {
    private final OtlpRows rows;
    private final OtlpMembers out;
    private final JsonScanner scanner = new JsonScanner();

    OtlpJsonDecoder(OtlpRows rows) {
        this.rows = rows;
        this.out = rows.members();
    }

    /** Whether this JSON is an OTLP request: its first member is {@code resourceLogs}, an array. */
    boolean isRequest(byte[] value, int from, int to) {
        scanner.reset(value, from, to);
        try {
            scanner.expect('{');
            scanner.expect('"');
            int name = scanner.position();
            // One comparison rules out nearly everything else.
            if (name >= to || value[name] != 'r') {
                return false;
            }
            scanner.string();
            String text = new String(value, scanner.start(), scanner.stop() - scanner.start(), US_ASCII);
            scanner.expect(':');
            return (text.equals("resourceLogs") || text.equals("resource_logs")) && scanner.peek() == '[';
        } catch (UndecodableRecordException e) {
            return false;
        }
    }

    void decode(byte[] value, int from, int to) throws UndecodableRecordException {
        scanner.reset(value, from, to);
        rows.startRequest();
        scanner.expect('{');
        scanner.skipContainer(scanner.position() - 1, 1);
        int open = scanner.start();
        scanner.expectEnd();
        JsonObjectReader request = new JsonObjectReader(scanner, open);
        while (request.next()) {
            if (request.isNamed("resourceLogs")) {
                JsonObjectReader elements = array(request);
                while (elements.next()) {
                    resourceLogs(object(elements));
                }
            }
        }
    }

    private void resourceLogs(int open) throws UndecodableRecordException {
        rows.startResource();
        JsonObjectReader first = new JsonObjectReader(scanner, open);
        while (first.next()) {
            if (first.isNamed("resource") && first.token() != Token.NULL) {
                source(object(first));
            } else if (first.isNamed("schemaUrl")) {
                string(SCHEMA_URL, first);
            }
        }
        JsonObjectReader second = new JsonObjectReader(scanner, open);
        while (second.next()) {
            if (second.isNamed("scopeLogs") && second.token() != Token.NULL) {
                JsonObjectReader elements = array(second);
                while (elements.next()) {
                    scopeLogs(object(elements));
                }
            }
        }
    }

    private void scopeLogs(int open) throws UndecodableRecordException {
        rows.startScope();
        JsonObjectReader first = new JsonObjectReader(scanner, open);
        while (first.next()) {
            if (first.isNamed("scope") && first.token() != Token.NULL) {
                source(object(first));
            } else if (first.isNamed("schemaUrl")) {
                string(SCHEMA_URL, first);
            }
        }
        JsonObjectReader second = new JsonObjectReader(scanner, open);
        while (second.next()) {
            if (second.isNamed("logRecords") && second.token() != Token.NULL) {
                JsonObjectReader elements = array(second);
                while (elements.next()) {
                    logRecord(object(elements));
                }
            }
        }
    }

    /** Writes a resource or a scope. */
    private void source(int open) throws UndecodableRecordException {
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("name") || reader.isNamed("version")) {
                string(reader.isNamed("name") ? NAME : VERSION, reader);
            } else if (reader.isNamed("attributes") && reader.token() != Token.NULL) {
                attributes(reader);
            } else if (reader.isNamed("droppedAttributesCount")) {
                number(DROPPED_ATTRIBUTES_COUNT, reader);
            }
        }
    }

    private void logRecord(int open) throws UndecodableRecordException {
        rows.startRow();
        JsonObjectReader fields = new JsonObjectReader(scanner, open);
        while (fields.next()) {
            if (fields.token() == Token.NULL) {
                continue;
            }
            if (fields.isNamed("timeUnixNano")) {
                rows.timeNanos(nanos(fields));
            } else if (fields.isNamed("observedTimeUnixNano")) {
                rows.observedNanos(nanos(fields));
            } else if (fields.isNamed("severityNumber")) {
                number(SEVERITY_NUMBER, fields);
            } else if (fields.isNamed("severityText")) {
                string(LEVEL, fields);
            } else if (fields.isNamed("body")) {
                out.name(MESSAGE);
                value(object(fields), 0);
            } else if (fields.isNamed("droppedAttributesCount")) {
                number(DROPPED_ATTRIBUTES_COUNT, fields);
            } else if (fields.isNamed("flags")) {
                number(FLAGS, fields);
            } else if (fields.isNamed("traceId")) {
                id(TRACE_ID, fields);
            } else if (fields.isNamed("spanId")) {
                id(SPAN_ID, fields);
            } else if (fields.isNamed("eventName")) {
                string(EVENT_NAME, fields);
            }
        }
        rows.startAttributes();
        JsonObjectReader again = new JsonObjectReader(scanner, open);
        while (again.next()) {
            if (again.isNamed("attributes") && again.token() != Token.NULL) {
                attributes(again);
            }
        }
        rows.endRow();
    }

    private void attributes(JsonObjectReader member) throws UndecodableRecordException {
        JsonObjectReader elements = array(member);
        while (elements.next()) {
            keyValue(object(elements), 0);
        }
    }

    private void keyValue(int open, int depth) throws UndecodableRecordException {
        int keyFrom = 0;
        int keyTo = 0;
        int valueOpen = -1;
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("key") && reader.token() == Token.STRING) {
                keyFrom = reader.start();
                keyTo = reader.stop();
            } else if (reader.isNamed("value") && reader.token() != Token.NULL) {
                valueOpen = object(reader);
            }
        }
        out.escapedName(scanner.data(), keyFrom, keyTo);
        if (valueOpen < 0) {
            out.nothing();
        } else {
            value(valueOpen, depth);
        }
    }

    /** Writes an AnyValue. */
    private void value(int open, int depth) throws UndecodableRecordException {
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.token() == Token.NULL) {
                continue;
            }
            if (reader.isNamed("stringValue") || reader.isNamed("bytesValue")) {
                require(reader, reader.token() == Token.STRING);
                out.escapedString(scanner.data(), reader.start(), reader.stop());
                return;
            }
            if (reader.isNamed("intValue")) {
                requireNumber(reader);
                out.number(scanner.data(), reader.start(), reader.stop());
                return;
            }
            if (reader.isNamed("doubleValue")) {
                requireNumber(reader);
                doubleNumber(reader);
                return;
            }
            if (reader.isNamed("boolValue")) {
                require(reader, reader.token() == Token.TRUE || reader.token() == Token.FALSE);
                out.bool(reader.token() == Token.TRUE);
                return;
            }
            if (reader.isNamed("arrayValue")) {
                array(object(reader), OtlpDepth.deeper(depth));
                return;
            }
            if (reader.isNamed("kvlistValue")) {
                object(object(reader), OtlpDepth.deeper(depth));
                return;
            }
        }
        out.nothing();
    }

    /** A double, though it may be written without a fraction: the Collector does so. */
    private void doubleNumber(JsonObjectReader reader) throws UndecodableRecordException {
        if (isInteger(scanner.data(), reader.start(), reader.stop())) {
            byte[] written = (text(reader) + ".0").getBytes(UTF_8);
            out.number(written, 0, written.length);
        } else {
            out.number(scanner.data(), reader.start(), reader.stop());
        }
    }

    private static boolean isInteger(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] != '-' && (data[i] < '0' || data[i] > '9')) {
                return false;
            }
        }
        return true;
    }

    private void array(int open, int depth) throws UndecodableRecordException {
        out.openArray();
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("values") && reader.token() != Token.NULL) {
                JsonObjectReader elements = array(reader);
                while (elements.next()) {
                    value(object(elements), depth);
                }
            }
        }
        out.closeArray();
    }

    private void object(int open, int depth) throws UndecodableRecordException {
        out.openObject();
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("values") && reader.token() != Token.NULL) {
                JsonObjectReader elements = array(reader);
                while (elements.next()) {
                    keyValue(object(elements), depth);
                }
            }
        }
        out.closeObject();
    }

    private JsonObjectReader array(JsonObjectReader reader) throws UndecodableRecordException {
        require(reader, reader.token() == Token.ARRAY);
        return new JsonObjectReader(scanner, reader.start());
    }

    /** The start of the object that is the reader's value. */
    private static int object(JsonObjectReader reader) throws UndecodableRecordException {
        require(reader, reader.token() == Token.OBJECT);
        return reader.start();
    }

    private void string(byte[] name, JsonObjectReader reader) throws UndecodableRecordException {
        if (reader.token() == Token.NULL) {
            return;
        }
        require(reader, reader.token() == Token.STRING);
        if (reader.start() < reader.stop()) {
            out.name(name);
            out.escapedString(scanner.data(), reader.start(), reader.stop());
        }
    }

    /** An id in hexadecimal digits of any case. */
    private void id(byte[] name, JsonObjectReader reader) throws UndecodableRecordException {
        require(reader, reader.token() == Token.STRING);
        if (reader.start() < reader.stop()) {
            out.name(name);
            byte[] lower = text(reader).toLowerCase(Locale.ROOT).getBytes(UTF_8);
            out.escapedString(lower, 0, lower.length);
        }
    }

    /** A number, or the name of an enum's value; 0 is the same as absent. */
    private void number(byte[] name, JsonObjectReader reader) throws UndecodableRecordException {
        if (reader.token() == Token.NULL || text(reader).equals("0")) {
            return;
        }
        out.name(name);
        if (reader.token() == Token.STRING) {
            out.escapedString(scanner.data(), reader.start(), reader.stop());
        } else {
            require(reader, reader.token() == Token.INTEGER);
            out.number(scanner.data(), reader.start(), reader.stop());
        }
    }

    private long nanos(JsonObjectReader reader) throws UndecodableRecordException {
        try {
            return Long.parseUnsignedLong(text(reader));
        } catch (NumberFormatException e) {
            throw OtlpRows.malformed("A time is not a number of nanoseconds at byte " + reader.start());
        }
    }

    private String text(JsonObjectReader reader) {
        return new String(scanner.data(), reader.start(), reader.stop() - reader.start(), UTF_8);
    }

    /** Numbers may be strings, but only of characters that numbers consist of. */
    private void requireNumber(JsonObjectReader reader) throws UndecodableRecordException {
        switch (reader.token()) {
            case INTEGER, BIG_INTEGER, FRACTION, NON_FINITE -> {}
            case STRING -> {
                String text = text(reader);
                boolean special = text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
                require(reader, special || text.matches("[-+.0-9eE]+"));
            }
            default -> require(reader, false);
        }
    }

    private static void require(JsonObjectReader reader, boolean condition) throws UndecodableRecordException {
        if (!condition) {
            throw OtlpRows.malformed("Unexpected value in an OTLP logs export request at byte " + reader.start());
        }
    }
}
