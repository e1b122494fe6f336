package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.decode.OtlpDepth;
import io.cordwood.record.json.JsonObjectReader;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;

/**
 * Checks objects in well-formed JSON as the ingest job will read them, so that a client hears at once of a log record
 * that nobody can read. Not thread-safe.
 */
final class JsonCheck {
    /** Of a record or source, on average of its bytes; more only as far as {@link #MAX_EXCESS_BYTES} allows. */
    private static final int MAX_READINGS = 8;

    /** Of a request. */
    private static final long MAX_EXCESS_BYTES = 1 << 20;

    private final JsonScanner scanner;
    private final JsonScanner numbers = new JsonScanner();
    private long readable;
    private long excess;

    /** @param scanner has the request */
    JsonCheck(JsonScanner scanner) {
        this.scanner = scanner;
    }

    /**
     * Checks a log record.
     *
     * @throws UndecodableRecordException if it is malformed, or too deep
     */
    void logRecord(JsonObjectReader element) throws UndecodableRecordException {
        JsonObjectReader fields = new JsonObjectReader(scanner, begin(element));
        while (fields.next()) {
            if (fields.token() == Token.NULL) {
                continue;
            }
            if (fields.isNamed("body")) {
                value(object(fields), 0);
            } else if (fields.isNamed("attributes")) {
                attributes(fields);
            } else if (fields.isNamed("timeUnixNano") || fields.isNamed("observedTimeUnixNano")) {
                nanos(fields);
            } else if (fields.isNamed("severityText")
                    || fields.isNamed("eventName")
                    || fields.isNamed("traceId")
                    || fields.isNamed("spanId")) {
                string(fields);
            } else if (fields.isNamed("severityNumber")
                    || fields.isNamed("droppedAttributesCount")
                    || fields.isNamed("flags")) {
                number(fields);
            }
        }
    }

    /** Checks a resource or a scope. */
    void source(JsonObjectReader member) throws UndecodableRecordException {
        JsonObjectReader fields = new JsonObjectReader(scanner, begin(member));
        while (fields.next()) {
            if (fields.isNamed("name") || fields.isNamed("version")) {
                string(fields);
            } else if (fields.isNamed("attributes") && fields.token() != Token.NULL) {
                attributes(fields);
            } else if (fields.isNamed("droppedAttributesCount")) {
                number(fields);
            }
        }
    }

    private int begin(JsonObjectReader member) throws UndecodableRecordException {
        readable = (long) MAX_READINGS * (member.stop() - member.start());
        return object(member);
    }

    /** Each level is read once more, by the ingest job too. */
    private int deeper(JsonObjectReader member, int depth) throws UndecodableRecordException {
        readable -= member.stop() - member.start();
        if (readable < 0) {
            excess -= readable;
            readable = 0;
            if (excess > MAX_EXCESS_BYTES) {
                throw new UndecodableRecordException(
                        Reason.TOO_DEEP, "Values are too large for their depth at byte " + member.start());
            }
        }
        return OtlpDepth.deeper(depth);
    }

    private void attributes(JsonObjectReader member) throws UndecodableRecordException {
        JsonObjectReader elements = array(member);
        while (elements.next()) {
            keyValue(object(elements), 0);
        }
    }

    private void keyValue(int open, int depth) throws UndecodableRecordException {
        JsonObjectReader fields = new JsonObjectReader(scanner, open);
        while (fields.next()) {
            if (fields.isNamed("value") && fields.token() != Token.NULL) {
                value(object(fields), depth);
            }
        }
    }

    private void value(int open, int depth) throws UndecodableRecordException {
        JsonObjectReader fields = new JsonObjectReader(scanner, open);
        while (fields.next()) {
            if (fields.token() == Token.NULL) {
                continue;
            }
            if (fields.isNamed("stringValue") || fields.isNamed("bytesValue")) {
                string(fields);
            } else if (fields.isNamed("intValue") || fields.isNamed("doubleValue")) {
                anyNumber(fields);
            } else if (fields.isNamed("boolValue")) {
                require(fields, fields.token() == Token.TRUE || fields.token() == Token.FALSE);
            } else if (fields.isNamed("arrayValue")) {
                values(object(fields), deeper(fields, depth), false);
            } else if (fields.isNamed("kvlistValue")) {
                values(object(fields), deeper(fields, depth), true);
            }
        }
    }

    private void values(int open, int depth, boolean named) throws UndecodableRecordException {
        JsonObjectReader fields = new JsonObjectReader(scanner, open);
        while (fields.next()) {
            if (fields.isNamed("values") && fields.token() != Token.NULL) {
                JsonObjectReader elements = array(fields);
                while (elements.next()) {
                    if (named) {
                        keyValue(object(elements), depth);
                    } else {
                        value(object(elements), depth);
                    }
                }
            }
        }
    }

    JsonObjectReader array(JsonObjectReader member) throws UndecodableRecordException {
        require(member, member.token() == Token.ARRAY);
        return new JsonObjectReader(scanner, member.start());
    }

    /** The start of the object that is the reader's value. */
    static int object(JsonObjectReader member) throws UndecodableRecordException {
        require(member, member.token() == Token.OBJECT);
        return member.start();
    }

    void string(JsonObjectReader member) throws UndecodableRecordException {
        require(member, member.token() == Token.STRING || member.token() == Token.NULL);
    }

    /** An integer, or the name of an enum's value. */
    private static void number(JsonObjectReader member) throws UndecodableRecordException {
        require(
                member,
                member.token() == Token.INTEGER || member.token() == Token.STRING || member.token() == Token.NULL);
    }

    private void nanos(JsonObjectReader member) throws UndecodableRecordException {
        try {
            Long.parseUnsignedLong(new String(scanner.data(), member.start(), member.stop() - member.start(), UTF_8));
        } catch (NumberFormatException e) {
            throw malformed("A time is not a number of nanoseconds at byte " + member.start());
        }
    }

    /** A number, which may be a string. */
    private void anyNumber(JsonObjectReader member) throws UndecodableRecordException {
        switch (member.token()) {
            case INTEGER, BIG_INTEGER, FRACTION, NON_FINITE -> {}
            case STRING -> {
                numbers.reset(scanner.data(), member.start(), member.stop());
                Token token = numbers.value();
                // The decoder takes no space beside the number
                require(member, numbers.start() == member.start() && numbers.stop() == member.stop());
                require(
                        member,
                        token == Token.INTEGER
                                || token == Token.BIG_INTEGER
                                || token == Token.FRACTION
                                || token == Token.NON_FINITE);
            }
            default -> require(member, false);
        }
    }

    private static void require(JsonObjectReader member, boolean condition) throws UndecodableRecordException {
        if (!condition) {
            throw malformed("Unexpected value in an OTLP logs export request at byte " + member.start());
        }
    }

    private static UndecodableRecordException malformed(String message) {
        return new UndecodableRecordException(Reason.MALFORMED_OTLP, message);
    }
}
