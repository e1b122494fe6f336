package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
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
    private final JsonScanner scanner = new JsonScanner();

    OtlpJsonDecoder(OtlpRows rows) {
        this.rows = rows;
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
        JsonComposer resource = rows.startResource();
        JsonObjectReader first = new JsonObjectReader(scanner, open);
        while (first.next()) {
            if (first.isNamed("resource") && first.token() != Token.NULL) {
                source(object(first), resource);
            } else if (first.isNamed("schemaUrl")) {
                string("schema_url", first, resource);
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
        JsonComposer scope = rows.startScope();
        JsonObjectReader first = new JsonObjectReader(scanner, open);
        while (first.next()) {
            if (first.isNamed("scope") && first.token() != Token.NULL) {
                source(object(first), scope);
            } else if (first.isNamed("schemaUrl")) {
                string("schema_url", first, scope);
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
    private void source(int open, JsonComposer out) throws UndecodableRecordException {
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("name") || reader.isNamed("version")) {
                string(reader.isNamed("name") ? "name" : "version", reader, out);
            } else if (reader.isNamed("attributes") && reader.token() != Token.NULL) {
                attributes(reader, out);
            } else if (reader.isNamed("droppedAttributesCount")) {
                number("dropped_attributes_count", reader, out);
            }
        }
    }

    private void logRecord(int open) throws UndecodableRecordException {
        JsonComposer out = rows.startRow();
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
                number("severity_number", fields, out);
            } else if (fields.isNamed("severityText")) {
                string("level", fields, out);
            } else if (fields.isNamed("body")) {
                out.name("message");
                value(object(fields), out, 0);
            } else if (fields.isNamed("droppedAttributesCount")) {
                number("dropped_attributes_count", fields, out);
            } else if (fields.isNamed("flags")) {
                number("flags", fields, out);
            } else if (fields.isNamed("traceId")) {
                id("trace_id", fields, out);
            } else if (fields.isNamed("spanId")) {
                id("span_id", fields, out);
            } else if (fields.isNamed("eventName")) {
                string("event_name", fields, out);
            }
        }
        JsonObjectReader again = new JsonObjectReader(scanner, open);
        while (again.next()) {
            if (again.isNamed("attributes") && again.token() != Token.NULL) {
                attributes(again, out);
            }
        }
        rows.endRow();
    }

    private void attributes(JsonObjectReader member, JsonComposer out) throws UndecodableRecordException {
        JsonObjectReader elements = array(member);
        while (elements.next()) {
            keyValue(object(elements), out, 0);
        }
    }

    private void keyValue(int open, JsonComposer out, int depth) throws UndecodableRecordException {
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
            out.token("null");
        } else {
            value(valueOpen, out, depth);
        }
    }

    /** Writes an AnyValue. */
    private void value(int open, JsonComposer out, int depth) throws UndecodableRecordException {
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
            if (reader.isNamed("intValue") || reader.isNamed("doubleValue")) {
                requireNumber(reader);
                out.token(scanner.data(), reader.start(), reader.stop());
                return;
            }
            if (reader.isNamed("boolValue")) {
                require(reader, reader.token() == Token.TRUE || reader.token() == Token.FALSE);
                out.token(reader.token() == Token.TRUE ? "true" : "false");
                return;
            }
            if (reader.isNamed("arrayValue")) {
                list(object(reader), false, out, OtlpRows.deeper(depth));
                return;
            }
            if (reader.isNamed("kvlistValue")) {
                list(object(reader), true, out, OtlpRows.deeper(depth));
                return;
            }
        }
        out.token("null");
    }

    private void list(int open, boolean keyed, JsonComposer out, int depth) throws UndecodableRecordException {
        out.open(keyed ? '{' : '[');
        JsonObjectReader reader = new JsonObjectReader(scanner, open);
        while (reader.next()) {
            if (reader.isNamed("values") && reader.token() != Token.NULL) {
                JsonObjectReader elements = array(reader);
                while (elements.next()) {
                    if (keyed) {
                        keyValue(object(elements), out, depth);
                    } else {
                        value(object(elements), out, depth);
                    }
                }
            }
        }
        out.close(keyed ? '}' : ']');
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

    private void string(String name, JsonObjectReader reader, JsonComposer out) throws UndecodableRecordException {
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
    private void id(String name, JsonObjectReader reader, JsonComposer out) throws UndecodableRecordException {
        require(reader, reader.token() == Token.STRING);
        if (reader.start() < reader.stop()) {
            out.name(name);
            byte[] lower = text(reader).toLowerCase(Locale.ROOT).getBytes(UTF_8);
            out.escapedString(lower, 0, lower.length);
        }
    }

    /** A number, or the name of an enum's value; 0 is the same as absent. */
    private void number(String name, JsonObjectReader reader, JsonComposer out) throws UndecodableRecordException {
        if (reader.token() == Token.NULL || text(reader).equals("0")) {
            return;
        }
        out.name(name);
        if (reader.token() == Token.STRING) {
            out.escapedString(scanner.data(), reader.start(), reader.stop());
        } else {
            require(reader, reader.token() == Token.INTEGER);
            out.token(scanner.data(), reader.start(), reader.stop());
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
