package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.json.JsonObjectReader;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;

/** Reads a push request in JSON: that of the API v1, and the older one of Promtail's API. Not thread-safe. */
final class JsonPush {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final byte[] body;
    private final PushedRows rows;
    private final JsonScanner scanner = new JsonScanner();
    private final LabelText labelText = new LabelText();
    private final TextSink name;
    private final TextSink text;

    JsonPush(byte[] body, PushedRows rows) {
        this.body = body;
        this.rows = rows;
        this.name = new TextSink(rows.memory()::grow);
        this.text = new TextSink(rows.memory()::grow);
    }

    /**
     * Reads all. Labels that are malformed cost only their stream.
     *
     * @throws RefusedException if the request is not such JSON
     */
    void read() {
        try {
            scanner.reset(body, 0, body.length);
            scanner.expect('{');
            scanner.skipContainer(scanner.position() - 1, 1);
            int open = scanner.start();
            scanner.expectEnd();
            JsonObjectReader request = new JsonObjectReader(scanner, open);
            while (request.next()) {
                if (request.isNamed("streams") && request.token() != Token.NULL) {
                    JsonObjectReader streams = array(request);
                    while (streams.next()) {
                        require(streams, Token.OBJECT, "a stream");
                        stream(streams.start());
                    }
                }
            }
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The request is malformed: " + e.getMessage());
        }
    }

    private void stream(int open) throws UndecodableRecordException {
        rows.labels().clear();
        JsonObjectReader first = new JsonObjectReader(scanner, open);
        String wrong = "";
        while (first.next()) {
            try {
                if (first.isNamed("stream")) {
                    labels(first);
                } else if (first.isNamed("labels")) {
                    require(first, Token.STRING, "labels");
                    unescape(first.start(), first.stop(), text);
                    labelText.read(text.array(), 0, text.length(), rows.labels());
                }
            } catch (RefusedException e) {
                if (e.reason() != RefusedException.Reason.MALFORMED) {
                    throw e;
                }
                wrong = e.getMessage();
            }
        }
        JsonObjectReader second = new JsonObjectReader(scanner, open);
        while (second.next()) {
            boolean isOld = second.isNamed("entries");
            if ((isOld || second.isNamed("values")) && second.token() != Token.NULL) {
                JsonObjectReader entries = array(second);
                while (entries.next()) {
                    if (!wrong.isEmpty()) {
                        rows.reject(1, wrong);
                    } else if (isOld) {
                        oldEntry(entries);
                    } else {
                        entry(array(entries));
                    }
                }
            }
        }
    }

    private void labels(JsonObjectReader member) throws UndecodableRecordException {
        require(member, Token.OBJECT, "an object of labels");
        JsonObjectReader labels = new JsonObjectReader(scanner, member.start());
        while (labels.next()) {
            pair(labels);
            rows.labels().add(name.array(), name.length(), text.array(), text.length());
        }
    }

    /** Reads a name and a string. */
    private void pair(JsonObjectReader member) throws UndecodableRecordException {
        require(member, Token.STRING, "a string");
        unescape(member.nameStart(), member.nameStop(), name);
        unescape(member.start(), member.stop(), text);
    }

    private void unescape(int from, int to, TextSink target) {
        target.reset();
        JsonText.unescape(body, from, to, target);
    }

    /** An entry as an array: the time, the line, and structured metadata. */
    private void entry(JsonObjectReader values) throws UndecodableRecordException {
        requireNext(values);
        startAt(values);
        requireNext(values);
        require(values, Token.STRING, "a line");
        line(values.start(), values.stop());
        if (values.next() && values.token() != Token.NULL) {
            require(values, Token.OBJECT, "structured metadata");
            JsonObjectReader metadata = new JsonObjectReader(scanner, values.start());
            while (metadata.next()) {
                pair(metadata);
                rows.metadata(name.array(), 0, name.length(), text.array(), 0, text.length());
            }
        }
        rows.end();
    }

    private static void requireNext(JsonObjectReader values) throws UndecodableRecordException {
        if (!values.next()) {
            throw RefusedException.malformed("The request is malformed: an entry needs a time and a line, at byte %d"
                    .formatted(values.position()));
        }
    }

    private void startAt(JsonObjectReader value) throws UndecodableRecordException {
        if (value.token() != Token.STRING && value.token() != Token.INTEGER) {
            require(value, Token.STRING, "a time");
        }
        int from = value.start();
        int to = value.stop();
        boolean isNegative = from < to && body[from] == '-';
        long nanos = 0;
        for (int i = isNegative ? from + 1 : from; i < to; i++) {
            int digit = body[i] - '0';
            if (digit < 0 || digit > 9 || nanos > (Long.MAX_VALUE - digit) / 10) {
                throw notATime(from, to);
            }
            nanos = nanos * 10 + digit;
        }
        if (to - from == (isNegative ? 1 : 0)) {
            throw notATime(from, to);
        }
        long signed = isNegative ? -nanos : nanos;
        rows.start(Math.floorDiv(signed, NANOS_PER_SECOND), (int) Math.floorMod(signed, NANOS_PER_SECOND));
    }

    private RefusedException notATime(int from, int to) {
        return RefusedException.malformed("The request is malformed: '%s' is no time"
                .formatted(new String(Arrays.copyOfRange(body, from, Math.min(to, from + 50)), UTF_8)));
    }

    /** An entry as an object: {@code ts} as in RFC 3339, and {@code line}. */
    private void oldEntry(JsonObjectReader element) throws UndecodableRecordException {
        require(element, Token.OBJECT, "an entry");
        JsonObjectReader first = new JsonObjectReader(scanner, element.start());
        boolean isStarted = false;
        int lineFrom = 0;
        int lineTo = 0;
        while (first.next()) {
            if (first.isNamed("ts")) {
                require(first, Token.STRING, "a time");
                try {
                    OffsetDateTime time =
                            OffsetDateTime.parse(new String(body, first.start(), first.stop() - first.start(), UTF_8));
                    rows.start(time.toEpochSecond(), time.getNano());
                } catch (DateTimeException e) {
                    throw notATime(first.start(), first.stop());
                }
                isStarted = true;
            } else if (first.isNamed("line")) {
                require(first, Token.STRING, "a line");
                lineFrom = first.start();
                lineTo = first.stop();
            }
        }
        if (!isStarted) {
            rows.start();
        }
        line(lineFrom, lineTo);
        rows.end();
    }

    private void line(int from, int to) {
        for (int i = from; i < to; i++) {
            if (body[i] >= 0 && body[i] < ' ') {
                unescape(from, to, text);
                rows.line(text.array(), 0, text.length());
                return;
            }
        }
        rows.escapedLine(body, from, to);
    }

    private JsonObjectReader array(JsonObjectReader member) throws UndecodableRecordException {
        require(member, Token.ARRAY, "an array");
        return new JsonObjectReader(scanner, member.start());
    }

    private static void require(JsonObjectReader member, Token token, String what) throws UndecodableRecordException {
        if (member.token() != token) {
            throw new UndecodableRecordException(
                    Reason.MALFORMED_JSON, "expected %s at byte %d".formatted(what, member.start()));
        }
    }
}
